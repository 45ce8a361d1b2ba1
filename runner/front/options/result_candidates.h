// Completes names in arguments of tables, figures and exports, from the workspace's runs or, if a
// sweep was typed before, the sweep's runs. Reads results.db as last folded.
#pragma once

#include <string>
#include <vector>

#include "runner/base/cli/verb.h"

namespace runner {

using Typed = std::vector<std::string>;  // the words before, the verb's name first

std::vector<Candidate> sweep_candidates(const std::string& prefix, const Typed& before);
// Varying parameters; if there are none, all keys of `lcsm config`.
std::vector<Candidate> parameter_candidates(const std::string& prefix, const Typed& before);
std::vector<Candidate> axis_candidates(const std::string& prefix, const Typed& before);
std::vector<Candidate> metric_candidates(const std::string& prefix, const Typed& before);
std::vector<Candidate> selecting_candidates(const std::string& prefix, const Typed& before);
std::vector<Candidate> value_candidates(const std::string& prefix, const Typed& before);
// KEY=, then KEY=VALUE.
std::vector<Candidate> where_candidates(const std::string& prefix, const Typed& before);
// Values of the rows: models and other varying parameters.
std::vector<Candidate> row_candidates(const std::string& prefix, const Typed& before);

}  // namespace runner
