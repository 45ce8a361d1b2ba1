// The sum of modes as an operation on a GPU; cuda/modes/modes_calls.h says what it launches.
#pragma once

#include <memory>

#include "lcsm/cuda/driver/gpu.h"
#include "lcsm/machines/modes_op.h"

namespace lcsm {

// Like modes_machine, with x float32 or bfloat16. Throws std::invalid_argument for more modes than
// kModesMost if matrix products cannot compute them.
Tensors modes_machine_cuda(std::shared_ptr<Gpu> gpu, const at::Tensor& x,
                           const std::vector<Direction>& directions);

}  // namespace lcsm
