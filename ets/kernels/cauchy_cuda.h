// The sums of cauchy.h on a GPU.
#pragma once

#include <cstdint>
#include <memory>

#include "lcsm/cuda/driver/gpu.h"
#include "lcsm/tensors/operation.h"

namespace ets {

// Inputs and result as in the CPU's operation: Re L and |L|^2 [D, M], Re v and Re(v conj(L)) [sums,
// D, M] in float64; [sums, D, L / 2 + 1, 2] in float32.
at::Tensor cauchy_sums_cuda(std::shared_ptr<lcsm::Gpu> gpu, const lcsm::Tensors& inputs,
                            std::int64_t L);

}  // namespace ets
