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

// The readers of a norm. If only products read it, a GPU writes it in their type.
enum class ReadBy : std::uint8_t { kProducts, kAnything };

struct NormedSum {
  at::Tensor sum, normed;
};

// sum = residual + x, or x if the residual is undefined. On a GPU, and on a CPU in float32 or under
// autocast, one pass computes both, without second derivatives. Otherwise, and on a CPU under
// ProductsBy(kLibTorch), LibTorch's operations do. Under autocast a CPU's norms are float32.
NormedSum normed_sum(const Norm& norm, const at::Tensor& residual, const at::Tensor& x,
                     ReadBy read_by, const GpuOrCpu& gpu);

}  // namespace lcsm
