// The delta rule as an operation on a GPU; cuda/delta/delta_calls.h says what it launches.
#pragma once

#include <memory>

#include "lcsm/cuda/driver/gpu.h"
#include "lcsm/machines/delta_op.h"

namespace lcsm {

// y, of the type of i, and the last m, float32, under autograd. At most kChunkMostRows rows.
Tensors delta_machine_cuda(std::shared_ptr<Gpu> gpu, const DeltaInputs& inputs);

}  // namespace lcsm
