// The parts of the verb `lcsm-train tune` that tests call.
#pragma once

#include <string>
#include <vector>

#include "runner/train/bench/tune_case.h"

namespace runner {

// A line per variant, at most `most` lines: if there are more, the rules and the chosen variants
// come first, then refused ones.
std::string tune_table(const std::vector<TuneResult>& results, std::size_t most);

}  // namespace runner
