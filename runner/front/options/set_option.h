// The option --set of verbs that take settings.
#pragma once

#include <string>
#include <vector>

#include "runner/base/cli/verb.h"

namespace runner {

// Adds `--set KEY=VALUE`, which may be given several times, and completes it.
void add_set_option(Verb& verb, std::vector<std::string>* settings, const std::string& help);

}  // namespace runner
