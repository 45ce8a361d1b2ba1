// Chooses the launches and transforms of a long convolution on a GPU: grids, arguments and memory.
// The host side, without a driver.
#pragma once

#include <variant>
#include <vector>

#include "ets/cuda/cufft.h"
#include "ets/cuda/fft_conv_cuda.h"
#include "lcsm/cuda/driver/kernel_call.h"
#include "lcsm/cuda/driver/nvrtc.h"

namespace ets {

struct FftConvWork {
  bool bfloat16 = false;  // x, y and their gradients; taps are float32
  // Sizes, `padding`, `taps` and `d_taps`; the rest is filled in here.
  FftConvCuda conv = {};
  const void *x = nullptr, *d_y = nullptr;  // [B, T, D]
  void *y = nullptr, *d_x = nullptr;
};

using FftConvStep = std::variant<lcsm::KernelCall, FftCall>;

// Steps to queue one after the other on one stream.
std::vector<FftConvStep> fft_conv_forward_steps(const FftConvWork& work,
                                                const lcsm::Allocate& allocate);
std::vector<FftConvStep> fft_conv_backward_steps(const FftConvWork& work,
                                                 const lcsm::Allocate& allocate);

// Points of the transforms, so that nothing comes around: 1, 3, 5 or 7 times a power of two.
int fft_conv_points(const FftConvCuda& conv);

// The kernels' source for NVRTC.
lcsm::CudaSource fft_conv_source();

}  // namespace ets
