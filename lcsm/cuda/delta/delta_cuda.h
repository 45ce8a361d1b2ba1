// The delta rule on tensor cores: what its kernels are given. Read by nvcc, NVRTC and C++.
//
//   w_t = i_t - a_t v_t^T m_(t-1),   m_t = a_t m_(t-1) + u_t (x) w_t,   y_t = s_t^T m_t
//
// Where w is known this is the chunked recurrence. In a chunk, w solves
//
//   (1 + L) W = I - A V M
//
// where M is the memory before the chunk, L = V U^T of a step and earlier ones, times the decay
// between them, and A is the decay since the chunk began. The gradient of w solves the transposed
// system.
#pragma once

#include "lcsm/cuda/chunk/chunk_cuda.h"

namespace lcsm {

struct DeltaCuda {
  // The chunked recurrence with u as e, and backward with w as i; no log_k, no log_d. d_i is the
  // gradient of the delta rule's i, d_e the gradient of u.
  ChunkCuda chunk;
  ChunkInputCuda v, log_a;  // [B, T, K]; [B, T], <= 0, null = 0
  void* w;                  // [B, T, D], forward
  ScanOutputCuda d_v, d_log_a;
  // A segment turns the memory m before it into P m + E. `ends` is E, as in ChunkEndsCuda;
  // `products` is P, [B, segments - 1, K, delta_product_width]. Backward the same for gradients,
  // with P^T.
  float *ends, *products;
};

// Computes the memory before each segment from `ends` and `products` (reverse: the gradient after).
struct DeltaCarryCuda {
  int segments, B, K, D;
  bool reverse;
  const float *ends, *products;
  const float* first;  // [B, K, D], null = 0
  float* starts;       // [B, segments, K, D]
};
// A row of P, with zeros behind it: four numbers are loaded at a time.
LCSM_HOST_DEVICE constexpr int delta_product_width(int K) { return (K + 3) / 4 * 4; }
constexpr int kDeltaCarryThreads = 256, kDeltaCarryChannels = 8;  // of a block, with all rows

// The channels of a tile, for one group of warps.
LCSM_HOST_DEVICE constexpr int delta_channels(int K, bool bfloat16, ChunkPass pass) {
  return K < 128 ? K : pass == ChunkPass::kForward ? 64 : bfloat16 ? 32 : 16;
}
// Shared memory, the chunked recurrence's included. Besides: rows of v, the system, its right side
// in float32, backward in bfloat16 its solution, decays and their gradient.
LCSM_HOST_DEVICE constexpr int delta_bytes(int K, bool bfloat16, ChunkPass pass) {
  const int D = delta_channels(K, bfloat16, pass);
  const bool backward = pass == ChunkPass::kBackward;
  int bytes = chunk_tile_bytes(K, D, bfloat16, pass, false, false);
  bytes += kChunkRows * chunk_row_bytes(K, bfloat16) + 4 * kChunkRows * kChunkRows;
  if (bfloat16 || backward) bytes += 4 * kChunkRows * D;
  if (bfloat16 && backward) bytes += kChunkRows * chunk_row_bytes(D, bfloat16);
  return bytes + 4 * (3 * kChunkRows + kChunkWarps);
}

}  // namespace lcsm
