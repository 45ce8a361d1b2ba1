// Chooses the launches of an Adam step. The host side, without a driver. Values that change from
// step to step are read from device memory, so that a captured graph can be replayed.
#pragma once

#include <vector>

#include "lcsm/cuda/driver/kernel_call.h"
#include "lcsm/cuda/driver/nvrtc.h"
#include "lcsm/cuda/step/adam_cuda.h"

namespace lcsm {

struct AdamWork {
  AdamCuda adam = {};                 // what is above `partial`; the rest is filled in here
  std::vector<AdamRangeCuda> ranges;  // from the first number to the last
};

// Calls to queue one after the other on one stream: the norm, then the update. Throws
// std::invalid_argument for ranges with gaps and for numbers that are not aligned to 16 bytes.
std::vector<KernelCall> adam_calls(const AdamWork& work, const Allocate& allocate);

// The kernels' source for NVRTC.
CudaSource adam_source();

}  // namespace lcsm
