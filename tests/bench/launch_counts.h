// What the recurrence of a code launches on a GPU that this host lacks: the PTX judge counts the
// work of its launches on the CPU, and gpu_model.h gives their least times.
#pragma once

#include <string>
#include <vector>

#include "runner/train/bench/bench_eos_case.h"
#include "tests/bench/gpu_model.h"

namespace runner {

struct CountedPass {
  std::vector<LaunchCount> launches;
  double least_bytes = 0;  // inputs and results, each once
};

struct CountedCase {
  std::string machine;
  CountedPass forward, both;
};

// Counts one sequence of the shape, with time split as on a GPU with this many multiprocessors for
// each sequence, and uses the counts for `sequences` of them. Throws std::runtime_error if the
// judge finds a mistake.
CountedCase counted_case(const lcsm::Variant& variant, const BenchShape& shape,
                         at::ScalarType dtype, int processors, std::int64_t sequences);

}  // namespace runner
