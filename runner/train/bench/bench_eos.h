// The parts of the verb `lcsm-train bench eos` that tests call.
#pragma once

#include <string>

#include "runner/train/bench/bench_eos_case.h"

namespace runner {

// "8,512,128,32": B, T, D, K; throws std::invalid_argument.
BenchShape parse_shape(const std::string& text);

}  // namespace runner
