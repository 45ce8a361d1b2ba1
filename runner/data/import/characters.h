// Reads texts as S4's code does: characters, numbered by the training texts, <eos> at the end.
#pragma once

#include "runner/data/import/taken.h"

namespace runner {

// How many characters of a text S4 keeps, and how often a character must occur to get a number.
struct CharacterRule {
  std::size_t longest = 0;  // with <eos>
  std::size_t rarest = 1;
};

// Replaces the texts of all examples, UTF-8, by numbers: <pad>, <unk>, <eos>, then the characters
// that the shortened texts to train on have, the most frequent first, equal ones in order of their
// code points. Throws std::invalid_argument for more characters than a file can hold.
void number_characters(const CharacterRule& rule, Taken* taken);

// The offset of the first byte that is not UTF-8; the size of the text if there is none.
std::size_t first_not_utf8(std::string_view text);

}  // namespace runner
