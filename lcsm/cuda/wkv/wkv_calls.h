// Chooses the launches of RWKV-4's weighted mean: kernels, grids, arguments and memory. The host
// side, without a driver.
#pragma once

#include <vector>

#include "lcsm/cuda/driver/kernel_call.h"
#include "lcsm/cuda/driver/nvrtc.h"
#include "lcsm/cuda/wkv/wkv_cuda.h"

namespace lcsm {

struct WkvWork {
  bool bfloat16 = false;   // what is over data; all else is float32
  int processors = 132;    // of the device: time is split where channels alone leave some idle
  WkvCuda wkv = {};        // `segment`, `ends` and `d_w_u` are filled in here
  float* d_w_u = nullptr;  // backward: [2, D]
};

// The numbers in WkvCuda::kept.
std::size_t wkv_kept_count(const WkvCuda& wkv);

// Calls to queue one after the other on one stream.
std::vector<KernelCall> wkv_forward_calls(const WkvWork& work, const Allocate& allocate);
std::vector<KernelCall> wkv_backward_calls(const WkvWork& work, const Allocate& allocate);

// The source for NVRTC of the kernels that work of this type launches.
CudaSource wkv_source(const WkvWork& work);

}  // namespace lcsm
