// Splits a line of text into words.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace lcsm {

// "a, b, c".
std::string joined(const std::vector<std::string>& words, std::string_view separator = ", ");

// Removes the text before the separator, and the separator, and returns it; without a separator,
// the whole text.
std::string_view take_until(std::string_view* text, char separator);

bool has_word(const std::vector<std::string>& words, std::string_view word);

}  // namespace lcsm
