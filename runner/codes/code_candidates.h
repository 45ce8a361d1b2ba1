// Codes on a Tab: one part after the other, so that a list stays short.
#pragma once

#include <string>
#include <vector>

#include "runner/cli/option.h"

namespace runner {

// "1-" -> 1-0-, 1-1-, ... with what each means; "1-9-1-4@" -> the options that this code takes.
std::vector<Candidate> code_candidates(const std::string& prefix);

}  // namespace runner
