// Reads texts as S4's code does: characters, numbered by the training texts, <eos> at the end.
#pragma once

#include "runner/data/import/taken.h"

namespace runner {

// The number of characters of a text that S4 keeps, and the occurrences that a character needs to
// get a number.
struct CharacterRule {
  std::size_t longest = 0;  // with <eos>
  std::size_t rarest = 1;
};

// Replaces the UTF-8 texts of all examples by numbers: <pad>, <unk>, <eos>, then the characters of
// the shortened training texts, the most frequent first, ties by code point. Throws
// std::invalid_argument for more characters than a file can hold.
void number_characters(const CharacterRule& rule, Taken* taken);

// The offset of the first byte that is not UTF-8; the size of the text if there is none.
std::size_t first_not_utf8(std::string_view text);

}  // namespace runner
