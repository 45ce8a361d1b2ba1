// Completes the arguments of --set.
#pragma once

#include <string>
#include <vector>

#include "runner/base/cli/verb.h"

namespace runner {

// KEY=VALUE for every value of a choice, and with the default of any other key.
std::vector<Candidate> setting_candidates(const std::string& prefix);

// Adds `--set KEY=VALUE`, which may be given several times.
void add_set_option(Verb& verb, std::vector<std::string>* settings, const std::string& help);

}  // namespace runner
