// Kernels of modes on a GPU.
#pragma once

#include <cstdint>
#include <memory>

#include "lcsm/cuda/driver/gpu.h"
#include "lcsm/tensors/operation.h"

namespace ets {

// Inputs as in the CPU's operation, [G, D, M] in float64: log_decay, weight, then angle and
// weight_imag if they are defined; origin [G, D, M] or undefined. The result is [G, D, T] in
// float32.
at::Tensor vandermonde_taps_cuda(std::shared_ptr<lcsm::Gpu> gpu, const lcsm::Tensors& inputs,
                                 const at::Tensor& origin, std::int64_t T);

}  // namespace ets
