#include "runner/base/text/counts.h"

#include <fmt/format.h>

namespace runner {

std::string counted(std::int64_t number, const std::string& what) {
  return std::to_string(number) + " " + what + (number == 1 ? "" : "s");
}

std::string counts_text(const std::vector<Count>& counts) {
  std::string text;
  for (const Count& count : counts)
    if (count.number > 0)
      text += fmt::format("{}{} {}", text.empty() ? "" : ", ", count.number, count.what);
  return text;
}

}  // namespace runner
