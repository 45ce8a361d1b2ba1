// A delta rule of random numbers, run by its kernels through the judge and by the definition in
// plain float64 loops.
#pragma once

#include <string>

#include "lcsm/cuda/delta/delta_calls.h"
#include "tests/lcsm/cuda/driver/judged_device.h"

namespace lcsm::test {

struct DeltaShape {
  int B = 1, T = 1, K = 16, D = 16;
  bool decays = false;
  double strength = 0.1;        // the mean of -log a
  int processors = 1;           // few: time is not split
  int offset = 0, padding = 0;  // numbers before each input, and between its rows
  bool bfloat16 = false, first = false, last = true, backward = true;  // memories that enter, leave
};
std::string name_of(const DeltaShape& shape);

// "i", "u", "v", "s", "d_y", "log_a", "m" and "d_m" where the case has them. v has length 1, and u
// is half of v plus a random part, so that a step erases more than it adds.
Named random_delta(const DeltaShape& shape, std::uint64_t seed);
// "y", "m", "w", "d i", "d u", "d v", "d s", "d log_a", "d m".
Named by_definition(const DeltaShape& shape, const Named& inputs);
Judged by_judge(const DeltaShape& shape, const Named& inputs, const Kernels& kernels, int orders,
                const ptx::Options& options = {});

}  // namespace lcsm::test
