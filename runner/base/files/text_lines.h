// Splits text into lines and words.
#pragma once

#include <algorithm>
#include <string_view>

#include "lcsm/base/words.h"

namespace runner {

// Calls `take` with each line, without its newline; the last line need not have one.
template <typename Take>
void for_each_line(std::string_view text, Take take) {
  while (!text.empty()) take(lcsm::take_until(&text, '\n'));
}

// Calls `take` with each word; words are separated by ASCII white space.
template <typename Take>
void for_each_word(std::string_view text, Take take) {
  constexpr std::string_view kBlanks = " \t\r\n\f\v";
  for (std::size_t at = text.find_first_not_of(kBlanks); at < text.size();) {
    const std::size_t end = std::min(text.find_first_of(kBlanks, at), text.size());
    take(text.substr(at, end - at));
    at = text.find_first_not_of(kBlanks, end);
  }
}

}  // namespace runner
