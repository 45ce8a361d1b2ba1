// Tensors that depend on no input.
#pragma once

#include <ATen/core/Tensor.h>

#include <functional>
#include <string>

#include "lcsm/cuda/driver/gpu.h"
#include "lcsm/cuda/driver/gpu_or_cpu.h"

namespace lcsm {

// On a GPU the tensor is made once per name, so that steps do not copy it again.
inline at::Tensor constant(const GpuOrCpu& gpu, const std::string& name,
                           const std::function<at::Tensor()>& make) {
  return gpu ? gpu->once<at::Tensor>(name, make) : make();
}

}  // namespace lcsm
