// Chooses the launches of cross-entropy. The host side, without a driver.
#pragma once

#include <vector>

#include "lcsm/cuda/driver/kernel_call.h"
#include "lcsm/cuda/driver/nvrtc.h"
#include "lcsm/cuda/step/cross_entropy_cuda.h"

namespace lcsm {

struct CrossEntropyWork {
  bool bfloat16 = false;  // logits, and so their gradient; all else is float32
  CrossEntropyCuda rows = {};
  // [3]: the labelled rows, `scale` times the sum of their losses, the correct ones; null = not
  // wanted.
  double* sums = nullptr;
  bool add = false;  // to what is there
};

// Calls to queue one after the other on one stream.
std::vector<KernelCall> cross_entropy_calls(const CrossEntropyWork& work);

// The kernels' source for NVRTC.
CudaSource cross_entropy_source();

}  // namespace lcsm
