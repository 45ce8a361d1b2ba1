// A complex recurrence of complex inputs, an operation with its own gradient. It stores only its
// result.
#pragma once

#include <ATen/core/Tensor.h>

#include "lcsm/cuda/driver/gpu_or_cpu.h"

namespace ets {

// h_t = q h_(t-1) + u_t for u [B, T, 2, M], real and imaginary parts; q [2, M] and h before the
// first step, [B, 2, M] or undefined, in float64. `back`: from the last step to the first. float32
// or float64, on a GPU float32.
at::Tensor shared_scan(const at::Tensor& u, const at::Tensor& q, const at::Tensor& first = {},
                       bool back = false, const lcsm::GpuOrCpu& gpu = nullptr);

}  // namespace ets
