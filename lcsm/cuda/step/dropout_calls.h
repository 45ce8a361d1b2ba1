// Chooses the launch of dropout. The host side, without a driver.
#pragma once

#include "lcsm/cuda/driver/kernel_call.h"
#include "lcsm/cuda/driver/nvrtc.h"
#include "lcsm/cuda/step/dropout_cuda.h"

namespace lcsm {

// The call for float32 or bfloat16; fills in `aligned`.
KernelCall dropout_call(DropoutCuda dropout, bool bfloat16);

// The kernels' source for NVRTC.
CudaSource dropout_source();

}  // namespace lcsm
