// The chunked recurrence as an operation on a GPU; cuda/chunk/chunk_calls.h says what it launches.
#pragma once

#include <memory>

#include "lcsm/cuda/chunk/chunk_cuda.h"
#include "lcsm/cuda/driver/gpu.h"
#include "lcsm/machines/chunk_op.h"

namespace lcsm {

// The kernels' view of a tensor [B, T, N] or [B, T], which may be undefined.
ChunkInputCuda chunk_input(const at::Tensor& x);

// y, of the type of i, and the last m, float32, under autograd. At most kChunkMostRows rows.
Tensors chunk_machine_cuda(std::shared_ptr<Gpu> gpu, const ChunkInputs& inputs);

}  // namespace lcsm
