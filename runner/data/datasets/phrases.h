// A small generated language pair. A sentence has the same phrases in both languages, in another
// order and with other words; adjectives and nouns become one word, with an ending for its role:
//
//   the red bird often saw two cows near a lake .
//   ilemek e seip xudilom uxv fisfsoc ijv pivgu xet .
//
// Words are reversed, each letter becomes the next vowel or consonant. Clauses and phrases are in
// the opposite order, with the verb at the end.
#pragma once

#include <string>
#include <string_view>

#include "runner/base/random/random.h"
#include "runner/data/datasets/data_file_writer.h"

namespace runner {

// A sentence, and its translation.
NewExample phrases_example(RandomStream& random);

// The translation of a sentence of the grammar. Throws std::invalid_argument for any other text.
std::string translated_phrases(std::string_view text);

}  // namespace runner
