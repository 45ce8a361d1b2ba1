// Chooses the launch of dropout. The host side, without a driver.
#pragma once

#include "lcsm/cuda/dropout_cuda.h"
#include "lcsm/kernel/scan_calls.h"

namespace lcsm {

// The call for float32 or bfloat16; fills in `aligned`.
KernelCall dropout_call(DropoutCuda dropout, bool bfloat16);

// The kernels' source for NVRTC.
CudaSource dropout_source();

}  // namespace lcsm
