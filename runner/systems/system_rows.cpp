// Joins the three parts of the table of named systems.
#include <vector>

#include "runner/systems/system.h"

namespace runner {

std::span<const SystemRow> system_rows() {
  static const std::vector<SystemRow> all = [] {
    std::vector<SystemRow> rows;
    for (const auto& part : {state_systems(), recurrent_systems(), attention_systems()})
      rows.insert(rows.end(), part.begin(), part.end());
    return rows;
  }();
  return all;
}

}  // namespace runner
