// Which kernels compute kernels of modes on a GPU, with which grids and arguments: the host side,
// without a driver.
#pragma once

#include <vector>

#include "ets/cuda/vandermonde_cuda.h"
#include "lcsm/kernel/scan_calls.h"

namespace ets {

std::vector<lcsm::KernelCall> vandermonde_forward_calls(const VandermondeCuda& v);
std::vector<lcsm::KernelCall> vandermonde_backward_calls(const VandermondeCuda& v);

// Their source for NVRTC.
lcsm::CudaSource vandermonde_source();

}  // namespace ets
