// Character classes in the patterns of tokenizers: letter, number, white space.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>

namespace runner {

enum class UnicodeClass : std::uint8_t { kOther, kLetter, kNumber, kSpace };

UnicodeClass unicode_class(std::uint32_t code_point);

// A character of UTF-8 text. An invalid byte is a character of its own, of class kOther, so that
// any text is accepted and none is changed.
struct Character {
  std::uint32_t code;
  std::size_t bytes;
};
Character character_at(std::string_view text, std::size_t at);

// Calls `take` with the bytes of each character.
template <class Take>
void for_each_character(std::string_view text, const Take& take) {
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t bytes = character_at(text, at).bytes;
    take(text.substr(at, bytes));
    at += bytes;
  }
}

}  // namespace runner
