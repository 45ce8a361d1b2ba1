// The lines of a text.
#pragma once

#include <algorithm>
#include <string_view>

namespace runner {

// Calls with each line, without its end; a last line may have none.
template <typename Take>
void for_each_line(std::string_view text, Take take) {
  while (!text.empty()) {
    const std::size_t end = std::min(text.find('\n'), text.size());
    take(text.substr(0, end));
    text.remove_prefix(std::min(end + 1, text.size()));
  }
}

}  // namespace runner
