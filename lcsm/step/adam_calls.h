// What a step of Adam launches: the host side, without a driver. All that changes from step to step
// is read from memory of the device, so a captured graph of the calls can be replayed.
#pragma once

#include <vector>

#include "lcsm/kernel/scan_calls.h"
#include "lcsm/step/adam_cuda.h"

namespace lcsm {

struct AdamWork {
  AdamCuda adam = {};                 // what is above `partial`; the rest is filled in here
  std::vector<AdamRangeCuda> ranges;  // from the first number to the last
};

// One after the other on one stream: the norm, then the update. Throws std::invalid_argument for
// ranges with gaps and for numbers that do not begin at 16 bytes.
std::vector<KernelCall> adam_calls(const AdamWork& work, const Allocate& allocate);

// Their source for NVRTC.
CudaSource adam_source();

}  // namespace lcsm
