// The chunked recurrence as an operation on a GPU; kernel/chunk_calls.h says what it launches.
#pragma once

#include <memory>

#include "lcsm/kernel/gpu.h"
#include "lcsm/machines/chunk_op.h"

namespace lcsm {

// y and the last m, float32, under autograd. At most kChunkMostRows rows.
Tensors chunk_machine_cuda(std::shared_ptr<Gpu> gpu, const ChunkInputs& inputs);

}  // namespace lcsm
