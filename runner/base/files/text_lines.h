// Splits text into lines.
#pragma once

#include <string_view>

#include "lcsm/base/words.h"

namespace runner {

// Calls `take` with each line, without its newline; the last line need not have one.
template <typename Take>
void for_each_line(std::string_view text, Take take) {
  while (!text.empty()) take(lcsm::take_until(&text, '\n'));
}

}  // namespace runner
