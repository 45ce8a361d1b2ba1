// Long convolutions on a GPU, through cuFFT.
#pragma once

#include <ATen/core/Tensor.h>

#include <cstdint>
#include <memory>

#include "ets/cuda/cufft.h"
#include "lcsm/cuda/driver/gpu.h"

namespace ets {

// x [B, T, D] float32 or bfloat16, taps [G, D, K].
at::Tensor fft_convolution_cuda(std::shared_ptr<lcsm::Gpu> gpu, const at::Tensor& x,
                                const at::Tensor& taps, std::int64_t backward_lag);

// The plans of a GPU, made on first use, with `functions` or, by default, with cuFFT's functions.
CufftPlans& cufft_plans(lcsm::Gpu& gpu, const Cufft* functions = nullptr);

}  // namespace ets
