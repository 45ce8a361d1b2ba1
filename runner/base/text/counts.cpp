#include "runner/base/text/counts.h"

#include <fmt/format.h>

#include "lcsm/base/words.h"

namespace runner {

std::string counts_text(const std::vector<Count>& counts) {
  return lcsm::joined_of(counts, [](const Count& count) {
    return count.number > 0 ? fmt::format("{} {}", count.number, count.what) : "";
  });
}

}  // namespace runner
