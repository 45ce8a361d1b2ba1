// Completes codes one part at a time, so that the lists stay short.
#pragma once

#include <string>
#include <vector>

#include "runner/base/cli/option.h"

namespace runner {

// "1-" gives 1-0-, 1-1-, ... with their meanings; "1-9-1-4@" gives the options that the code
// accepts.
std::vector<Candidate> code_candidates(const std::string& prefix);

}  // namespace runner
