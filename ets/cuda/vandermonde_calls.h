// Chooses the launches that compute kernels of modes on a GPU: kernels, grids and arguments. The
// host side, without a driver.
#pragma once

#include <vector>

#include "ets/cuda/vandermonde_cuda.h"
#include "lcsm/cuda/driver/kernel_call.h"
#include "lcsm/cuda/driver/nvrtc.h"

namespace ets {

std::vector<lcsm::KernelCall> vandermonde_forward_calls(const VandermondeCuda& v);
std::vector<lcsm::KernelCall> vandermonde_backward_calls(const VandermondeCuda& v);

// The kernels' source for NVRTC.
lcsm::CudaSource vandermonde_source();

}  // namespace ets
