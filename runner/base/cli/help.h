// Prints the help page of the program or of one verb.
#pragma once

#include <string>

#include "runner/base/cli/verb.h"

namespace runner {

// `width`: columns to wrap at, 0 = 80. The footer is not wrapped.
std::string help_text(const Verb& verb, int width);

}  // namespace runner
