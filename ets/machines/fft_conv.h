// Convolution with long kernels by fast Fourier transform, an operation with its own gradient. It
// stores x and the kernel only; backward recomputes the spectra.
#pragma once

#include <ATen/core/Tensor.h>

#include <cstdint>

namespace ets {

// x [B, T, D], taps [G, D, K]: see ets/kernels/filter.h. float32 or float64, on the CPU;
// on the GPU of an lcsm::ComputeOn float32 or bfloat16.
at::Tensor fft_convolution(const at::Tensor& x, const at::Tensor& taps, std::int64_t backward_lag);

}  // namespace ets
