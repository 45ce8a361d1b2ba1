// Which kernels compute the sums of S4's kernel on a GPU, with which grids and arguments: the host
// side, without a driver.
#pragma once

#include <vector>

#include "ets/cuda/cauchy_cuda.h"
#include "lcsm/kernel/scan_calls.h"

namespace ets {

// 4 or 6 sums; throw std::invalid_argument for any other number.
std::vector<lcsm::KernelCall> cauchy_forward_calls(const CauchyCuda& c, int sums);
std::vector<lcsm::KernelCall> cauchy_backward_calls(const CauchyCuda& c, int sums);

// Their source for NVRTC.
lcsm::CudaSource cauchy_source();

}  // namespace ets
