// What dropout launches: the host side, without a driver.
#pragma once

#include "lcsm/cuda/dropout_cuda.h"
#include "lcsm/kernel/scan_calls.h"

namespace lcsm {

// Of float32 or bfloat16. `aligned` is filled in here.
KernelCall dropout_call(DropoutCuda dropout, bool bfloat16);

// Their source for NVRTC.
CudaSource dropout_source();

}  // namespace lcsm
