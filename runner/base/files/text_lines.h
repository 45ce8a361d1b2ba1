// Splits text into lines.
#pragma once

#include <algorithm>
#include <string_view>

namespace runner {

// Calls `take` with each line, without its newline; the last line need not have one.
template <typename Take>
void for_each_line(std::string_view text, Take take) {
  while (!text.empty()) {
    const std::size_t end = std::min(text.find('\n'), text.size());
    take(text.substr(0, end));
    text.remove_prefix(std::min(end + 1, text.size()));
  }
}

}  // namespace runner
