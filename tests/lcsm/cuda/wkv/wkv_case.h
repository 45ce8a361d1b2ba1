// A weighted mean of random numbers, run by its kernels through the judge and by the CPU's machine
// in float64, which wkv_test holds against the definition.
#pragma once

#include <string>

#include "lcsm/cuda/wkv/wkv_calls.h"
#include "tests/lcsm/cuda/driver/judged_device.h"

namespace lcsm::test {

struct WkvShape {
  int B = 2, T = 1, D = 5;
  bool bfloat16 = false, first = false;  // first: continues a sequence, and its end has a gradient
  int processors = 1;                    // many: time is split
  double decay = 1;                      // the geometric mean of w
  double keys = 1;                       // the size of k
};
std::string name_of(const WkvShape& shape);

// "k", "v", "w", "u", "d_y", and where the case continues "mean", "log_sum" and their gradients at
// the end, "d_mean" and "d_log_sum".
Named random_wkv(const WkvShape& shape, std::uint64_t seed);
// "y", "mean", "log_sum", "d k", "d v", "d w", "d u", "d mean", "d log_sum".
Named by_cpu(const WkvShape& shape, const Named& inputs);
Judged by_judge(const WkvShape& shape, const Named& inputs, const Kernels& kernels, int orders,
                const ptx::Options& options = {});

// Float32: rounding of sums and of shares of 1. Bfloat16: rounding of outputs, and of d_y in sums.
inline double tolerance_of(const WkvShape& shape) { return shape.bfloat16 ? 2e-2 : 1e-5; }

}  // namespace lcsm::test
