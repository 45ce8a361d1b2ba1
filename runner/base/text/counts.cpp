#include "runner/base/text/counts.h"

#include <fmt/format.h>

#include "lcsm/base/words.h"

namespace runner {

std::string counted(std::int64_t number, const std::string& what) {
  return std::to_string(number) + " " + what + (number == 1 ? "" : "s");
}

std::string counts_text(const std::vector<Count>& counts) {
  return lcsm::joined_of(counts, [](const Count& count) {
    return count.number > 0 ? fmt::format("{} {}", count.number, count.what) : "";
  });
}

}  // namespace runner
