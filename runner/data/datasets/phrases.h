// A small generated language pair. Both languages have the same phrases in a different order and
// with different words. An adjective and its noun become one word, with an ending for the noun's
// role:
//
//   the red bird often saw two cows near a lake .
//   ilemek e seip xudilom uxv fisfsoc ijv pivgu xet .
//
// Words are reversed, and each letter becomes the next vowel or consonant. Clauses and phrases are
// in the opposite order, with the verb at the end.
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
