// Completes codes one part at a time, so that the lists stay short.
#pragma once

#include <string>
#include <vector>

#include "runner/base/cli/option.h"

namespace runner {

// "1-" -> 1-0-, 1-1-, ... with their meanings; "1-9-1-4@" -> the options that this code accepts.
std::vector<Candidate> code_candidates(const std::string& prefix);

}  // namespace runner
