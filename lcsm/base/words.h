// Lists of words in a line of text.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace lcsm {

// "a, b, c".
std::string joined(const std::vector<std::string>& words, std::string_view separator = ", ");

// Takes what stands before the separator, and the separator; the whole text if it has none.
std::string_view take_until(std::string_view* text, char separator);

bool has_word(const std::vector<std::string>& words, std::string_view word);

}  // namespace lcsm
