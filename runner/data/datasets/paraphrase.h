// Pairs of sentences of a small grammar: do both say the same? Each is active or passive:
//
//   anna called leo          leo was called by anna           the same
//   anna called leo          anna was called by leo           not the same
//   hugo never warned ida    ida was never warned by hugo     the same
#pragma once

#include <string>
#include <string_view>

#include "runner/base/random/random.h"
#include "runner/data/datasets/data_file_writer.h"

namespace runner {

// Half of the pairs say the same. In the others one clause differs in who did it to whom, in a
// name, in the verb, or in whether it happened.
NewExample paraphrase_example(RandomStream& random);

// True if two texts of this grammar say the same. Throws std::invalid_argument for any other text.
bool say_the_same(std::string_view a, std::string_view b);

}  // namespace runner
