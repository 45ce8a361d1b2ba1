// The delta rule of bfloat16 rows: sizes of its kernels. Read by nvcc, NVRTC and C++.
//
// delta_systems solves the systems of all chunks at once. The walk then only multiplies, in each
// chunk by the memory M before it:
//
//   W = I' - V' M,   I' = T I,   V' = T A V,   T = (1 + L)^-1
//
// Backward, from the gradients N of the memory after a chunk and Y of its outputs:
//
//   G = Y' + U' N,   Y' = T^T P^T Y,   U' = T^T E U
//
// where P = S U^T, of a step and earlier ones, times the decay between them, and E is the decay
// until the chunk ends. Two walks compute W and G, the gradient of w. From both, delta_rows
// computes the gradients of all rows, for all chunks at once.
#pragma once

#include "lcsm/cuda/chunk/walk_cuda.h"
#include "lcsm/cuda/delta/delta_cuda.h"

namespace lcsm {

// In the order of their launches: kSystems, kForward; backward kSystemsBack, kReverse, kRows.
enum class DeltaPart { kSystems, kForward, kSystemsBack, kReverse, kRows };

// The kernels of systems store I' where w will be, and Y' where d_i will be; the walks replace
// them.
struct DeltaWalkCuda {
  DeltaCuda delta;
  void* solved;  // [B, T, K]: V', backward U'
  void* d_kept;  // [B, chunks, K, D]: N of each chunk
};

LCSM_HOST_DEVICE constexpr int delta_walk_threads(DeltaPart part) {
  return part == DeltaPart::kRows ? 256 : kChunkThreads;
}
// Shared memory of a block; the kernels take it in this order.
LCSM_HOST_DEVICE constexpr int delta_walk_bytes(int K, DeltaPart part) {
  const int k = 2 * kChunkRows * K, d = 2 * kChunkRows * kWalkChannels,
            square = 2 * kChunkRows * kChunkRows, memory = 2 * K * kWalkChannels,
            logs = 4 * kChunkRows;
  switch (part) {
    case DeltaPart::kSystems:
      return 2 * k + 4 * square + logs;
    case DeltaPart::kForward:
      return 2 * (3 * k + d) + memory + d + logs;
    case DeltaPart::kSystemsBack:
      return 3 * k + 5 * square + logs;
    case DeltaPart::kReverse:
      return 2 * (3 * k + 2 * d) + memory + logs;
    case DeltaPart::kRows:
      return 3 * k + 3 * d + 2 * memory + 3 * logs + 4 * 8;
  }
  return 0;
}

}  // namespace lcsm
