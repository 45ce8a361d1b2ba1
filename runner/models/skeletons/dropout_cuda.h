// Dropout on a GPU, with the CPU's masks.
#pragma once

#include <ATen/core/Tensor.h>

#include <memory>

#include "lcsm/cuda/driver/gpu.h"
#include "lcsm/cuda/step/dropout_cuda.h"

namespace runner {

// `mask`: key, call, below and scale. `step`: int64 [], in the GPU's memory. x: float32 or
// bfloat16. Works under autograd.
at::Tensor dropped_on_gpu(std::shared_ptr<lcsm::Gpu> gpu, const lcsm::DropoutCuda& mask,
                          const at::Tensor& step, const at::Tensor& x);

}  // namespace runner
