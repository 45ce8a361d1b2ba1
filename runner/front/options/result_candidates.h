// Completes the names in arguments of tables, figures and exports: those that the workspace's runs
// have or, if a sweep was typed before, its runs. Reads results.db as it was last folded.
#pragma once

#include <string>
#include <vector>

#include "runner/base/cli/verb.h"

namespace runner {

using Typed = std::vector<std::string>;  // the words before, the verb's name first

std::vector<Candidate> sweep_candidates(const std::string& prefix, const Typed& before);
// Parameters that vary; if there are none, every key of `lcsm config`.
std::vector<Candidate> parameter_candidates(const std::string& prefix, const Typed& before);
std::vector<Candidate> axis_candidates(const std::string& prefix, const Typed& before);
std::vector<Candidate> metric_candidates(const std::string& prefix, const Typed& before);
std::vector<Candidate> selecting_candidates(const std::string& prefix, const Typed& before);
std::vector<Candidate> value_candidates(const std::string& prefix, const Typed& before);
// KEY=, then KEY=VALUE.
std::vector<Candidate> where_candidates(const std::string& prefix, const Typed& before);
// Values of the rows: models, and what else varies.
std::vector<Candidate> row_candidates(const std::string& prefix, const Typed& before);

}  // namespace runner
