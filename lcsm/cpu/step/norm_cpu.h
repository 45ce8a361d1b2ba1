// A norm of rows, with the residual that is added before it, a row at a time.
#pragma once

#include <cstdint>

namespace lcsm {

// s = x + residual, y = (s - mean) / sqrt(variance + eps) * weight + bias; not centered: mean = 0,
// variance = mean of s^2. All rows have d numbers and are contiguous.
struct NormRows {
  std::int64_t rows = 0, d = 0;
  bool centered = true;
  float eps = 0;
  const float *weight = nullptr, *bias = nullptr;  // [d]; null: 1, 0
  float *mean = nullptr, *scale = nullptr;         // [rows]; scale = 1 / sqrt(variance + eps)
  // Forward.
  const float *x = nullptr, *residual = nullptr;  // residual null: s = x
  float *sum = nullptr, *y = nullptr;             // sum: s, only with a residual
  // Backward.
  const float *s = nullptr, *d_y = nullptr, *d_sum = nullptr;  // d_sum null: 0
  float* d_s = nullptr;                                        // written
  float *d_weight = nullptr, *d_bias = nullptr;                // [d]; added to; null: not wanted
};

struct NormKernels {
  void (*forward)(const NormRows& norm);
  void (*backward)(const NormRows& norm);
};

// Kernels for this processor's vectors.
const NormKernels& norm_kernels();

}  // namespace lcsm
