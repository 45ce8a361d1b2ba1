// A norm of random numbers, run by its kernels through the judge, and its definition in float64.
#pragma once

#include <cstddef>

#include "lcsm/cuda/step/norm_calls.h"
#include "tests/lcsm/cuda/driver/judged_device.h"

namespace lcsm::test {

struct NormCase {
  int rows = 5, d = 8;
  bool bfloat16_x = false, bfloat16_y = false;
  bool residual = false, centered = true, affine = true;
  bool d_sum = true;    // with a residual: the sum has its own gradient
  double offset = 0.5;  // of x
  int processors = 1;
  std::size_t from = 0;          // numbers before the first row
  std::size_t weights_from = 0;  // weight and bias
};

// "x", "d_y", with a residual "residual" and "d_sum", "weight" and "bias" of an affine norm.
Named random_norm(const NormCase& c);
// "y", "mean" of a centered norm, "scale", "d_x", with a residual "sum" and "d_residual",
// "d_weight" and "d_bias" of an affine norm.
Named by_definition(const NormCase& c, const Named& given);
// Backward reads what forward wrote.
Judged by_judge(const NormCase& c, const Named& given, const Kernels& kernels, int orders = 1,
                const ptx::Options& options = {});

// Float32: sums of a row, relative to the largest value of a result; gradients subtract two of
// them. Bfloat16: the last rounding.
inline double norm_tolerance(const NormCase& c, const std::string& name) {
  const bool rounds = (name == "y" && c.bfloat16_y) || (name == "d_x" && c.bfloat16_x);
  return rounds ? 0x1p-8 : 2e-6;
}

}  // namespace lcsm::test
