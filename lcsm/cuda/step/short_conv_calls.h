// Chooses the launches of a short convolution. The host side, without a driver.
#pragma once

#include "lcsm/cuda/driver/kernel_call.h"
#include "lcsm/cuda/driver/nvrtc.h"
#include "lcsm/cuda/step/gated_calls.h"
#include "lcsm/cuda/step/short_conv_cuda.h"

namespace lcsm {

struct ShortConvWork {
  Activation activation = Activation::kIdentity;
  bool bfloat16 = false;  // else float32
  int taps = 0;           // 1 to kConvTaps
  long long sequences = 0;
  ShortConvCuda conv = {};  // `lanes` and `parts` are chosen here
};

KernelCall short_conv_forward_call(const ShortConvWork& work);
KernelCall short_conv_backward_call(const ShortConvWork& work);

// The blocks over time, each with sums of its own.
long long short_conv_blocks(const ShortConvWork& work);

// The kernels' source for NVRTC.
CudaSource short_conv_source(const ShortConvWork& work);

}  // namespace lcsm
