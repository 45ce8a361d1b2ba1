// A norm over the last axis, and the residual that is added before it.
#pragma once

#include <ATen/core/Tensor.h>

#include <cstdint>

#include "lcsm/cuda/driver/gpu_or_cpu.h"

namespace lcsm {

inline constexpr double kNormEpsilon = 1e-5;

// (s - mean) / sqrt(variance + eps) * weight + bias
struct Norm {
  bool centered = true;               // false: s / sqrt(mean of s^2 + eps)
  at::Tensor weight = {}, bias = {};  // [d]; undefined: 1, 0
};

// What reads a norm: where only products do, a GPU writes it in their type.
enum class ReadBy : std::uint8_t { kProducts, kAnything };

struct NormedSum {
  at::Tensor sum, normed;
};

// sum = residual + x, or x where the residual is undefined. In float32 and under autocast, and on a
// GPU, one pass that has no second derivatives; otherwise, and where ProductsBy asks for LibTorch,
// by its operations. Under autocast a CPU's norms are float32.
NormedSum normed_sum(const Norm& norm, const at::Tensor& residual, const at::Tensor& x,
                     ReadBy read_by, const GpuOrCpu& gpu);

}  // namespace lcsm
