// What may be typed behind --set.
#pragma once

#include <string>
#include <vector>

#include "runner/cli/verb.h"

namespace runner {

// KEY=VALUE for every value of a choice, and the default of what is none.
std::vector<Candidate> setting_candidates(const std::string& prefix);

// Adds `--set KEY=VALUE`, which may be given several times.
void add_set_option(Verb& verb, std::vector<std::string>* settings, const std::string& help);

}  // namespace runner
