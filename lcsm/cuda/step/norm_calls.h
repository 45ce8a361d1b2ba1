// Chooses the launches of a norm. The host side, without a driver.
#pragma once

#include <vector>

#include "lcsm/cuda/driver/kernel_call.h"
#include "lcsm/cuda/driver/nvrtc.h"
#include "lcsm/cuda/step/norm_cuda.h"

namespace lcsm {

struct NormWork {
  bool bfloat16_x = false, bfloat16_y = false;   // else float32
  NormCuda norm = {};                            // calls fill in team, aligned and partial
  float *d_weight = nullptr, *d_bias = nullptr;  // [d]; null: not wanted
  int processors = 1;
};

// Calls to queue one after the other on one stream. d is at most kNormMost.
std::vector<KernelCall> norm_forward_calls(const NormWork& work);
std::vector<KernelCall> norm_backward_calls(const NormWork& work, const Allocate& allocate);

// The kernels' source for NVRTC.
CudaSource norm_source(const NormWork& work);

}  // namespace lcsm
