// Splits a line of text into words, and joins words.
#pragma once

#include <concepts>
#include <string>
#include <string_view>
#include <type_traits>
#include <vector>

namespace lcsm {

// "a, b, c".
std::string joined(const std::vector<std::string>& words, std::string_view separator = ", ");

// A text for each item, joined: joined_of(kBands, &BandRow::name). Empty texts are left out.
template <class Items, class Text>
std::string joined_of(const Items& items, const Text& text, std::string_view separator = ", ") {
  std::string all, one;
  for (const auto& item : items) {
    if constexpr (std::is_member_object_pointer_v<Text>)
      one = item.*text;
    else
      one = text(item);
    if (one.empty()) continue;
    if (!all.empty()) all += separator;
    all += one;
  }
  return all;
}

// Removes the text before the separator and returns it; removes the separator too. Without a
// separator, removes and returns the whole text.
std::string_view take_until(std::string_view* text, char separator);

// `text` without the characters `around` it.
std::string_view trimmed(std::string_view text, std::string_view around = " ");

// ASCII letters become small.
std::string lower_case(std::string_view text);

// "1 run", "3 runs".
std::string counted(std::integral auto number, const std::string& what) {
  return std::to_string(number) + " " + what + (number == 1 ? "" : "s");
}

// `to` in the place of every `from`, from left to right.
std::string replaced(std::string text, std::string_view from, std::string_view to);

// Splits a list at blanks.
std::vector<std::string> words_of(std::string_view text);

bool has_word(const std::vector<std::string>& words, std::string_view word);
bool has_word(std::string_view list, std::string_view word);  // a list separated by blanks

}  // namespace lcsm
