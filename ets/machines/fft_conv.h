// Convolution with long kernels by fast Fourier transform, an operation with its own gradient. It
// stores x and the kernel only; backward recomputes the spectra.
#pragma once

#include <ATen/core/Tensor.h>

#include <cstdint>

#include "lcsm/cuda/driver/gpu_or_cpu.h"

namespace ets {

// x [B, T, D], taps [G, D, K]: see ets/kernels/filter.h. float32 or float64, on a GPU float32 or
// bfloat16.
at::Tensor fft_convolution(const at::Tensor& x, const at::Tensor& taps, std::int64_t backward_lag,
                           const lcsm::GpuOrCpu& gpu = nullptr);

}  // namespace ets
