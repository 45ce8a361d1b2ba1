// The headers of ets/cuda for NVRTC, as texts inside the program.
#pragma once

#include "lcsm/cuda/driver/kernel_headers.h"

namespace ets {

std::span<const lcsm::KernelHeader> kernel_headers();

}  // namespace ets
