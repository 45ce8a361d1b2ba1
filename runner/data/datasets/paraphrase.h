// Pairs of sentences of a small grammar, to be classified by equal meaning. Each sentence is active
// or passive:
//
//   anna called leo          leo was called by anna           the same
//   anna called leo          anna was called by leo           not the same
//   hugo never warned ida    ida was never warned by hugo     the same
#pragma once

#include <string_view>

#include "runner/base/random/random.h"
#include "runner/data/datasets/data_file_writer.h"

namespace runner {

// Half of the pairs have equal meaning. In the others one clause differs in who did it to whom, in
// a name, in the verb, or in negation.
NewExample paraphrase_example(RandomStream& random);

// True if two texts of this grammar have equal meaning. Throws std::invalid_argument for any other
// text.
bool say_the_same(std::string_view a, std::string_view b);

}  // namespace runner
