// Chooses the launches of the sums of S4's kernel on a GPU: kernels, grids and arguments. The host
// side, without a driver.
#pragma once

#include <vector>

#include "ets/cuda/cauchy_cuda.h"
#include "lcsm/cuda/driver/kernel_call.h"
#include "lcsm/cuda/driver/nvrtc.h"

namespace ets {

// 4 or 6 sums; throw std::invalid_argument for any other number.
std::vector<lcsm::KernelCall> cauchy_forward_calls(const CauchyCuda& c, int sums);
std::vector<lcsm::KernelCall> cauchy_backward_calls(const CauchyCuda& c, int sums);

// The kernels' source for NVRTC.
lcsm::CudaSource cauchy_source();

}  // namespace ets
