// The chunked matrix recurrence on tensor cores: what its kernels are given. Read by nvcc, NVRTC
// and C++: plain pointers and sizes, no header of any side.
//
//   m_t = o_t (.) m_(t-1) + e_t (x) i_t,   y_t = s_t^T m_t,   log o_t = log_k_t[k] + log_d_t[d]
//
// A block walks over the chunks of one sequence, or of a segment of its time, with all rows and a
// tile of the channels of its memory in registers.
#pragma once

#include "lcsm/cuda/scan/scan_cuda.h"

namespace lcsm {

constexpr int kChunkRows = 64;  // steps of a chunk, or fewer where decays are strong
constexpr int kChunkWarps = kChunkRows / 16;
constexpr int kChunkThreads = 32 * kChunkWarps;  // of a group
// How far logarithms of scales in a chunk may go from 0, over k and d together: scales and inverse
// scales, times what they scale, stay finite and normal.
constexpr float kChunkRange = 60;
// A gate o is closed if log o is below this, the logarithm of float32's rounding error. Then its
// gradient is set to 0: it would be the rounding of differences, and the slope of log o, which
// multiplies it next, has no bound.
constexpr float kClosedGate = -15.942385f;

// [B, T, N] of the launch's type, with the strides of b and t. The stride of n is 1.
struct ChunkInputCuda {
  const void* data;
  long long b, t;
};

// Chunks of kChunkRows, but for the first where nothing enters: the memory before it is 0.
LCSM_HOST_DEVICE constexpr int chunk_kept(int T, bool enters) {
  return (T + kChunkRows - 1) / kChunkRows - (enters ? 0 : 1);
}

struct ChunkCuda {
  int B, T, K, D;
  int segment;  // steps of a segment, a multiple of kChunkRows
  ChunkInputCuda i, e, s, d_y;
  ChunkInputCuda log_k, log_d;  // <= 0, null = 0
  bool one_log_k;               // log_k is [B, T], the same for all rows
  const void* y;                // [B, T, D], for the gradient of log_d
  // enters: there is a memory before the first step, else it is 0. leaves: the last m is wanted, or
  // has a gradient.
  bool enters, leaves;
  const float*
      first;    // [B, segments, K, D]: m before each, or the gradient of m after it; null = 0
  float* last;  // [B, K, D]: the last m, or the gradient of the first
  void* kept;   // [B, chunk_kept, K, D]: m before each; forward writes them, null = not wanted
  // [B, chunks], of bfloat16 kernels alone: true if the decays of a chunk are too strong for one
  // pass.
  bool* strong;
  // True if K and D fill their tiles, and rows follow each other at multiples of 16 bytes.
  bool whole;
  // [B, T, D] and [B, T, K] ([B, T] for one_log_k); over k, copies of the channel tiles.
  void *to_y, *d_i, *d_log_d;
  ScanOutputCuda d_e, d_s, d_log_k;
};

// Final states of segments that begin with 0: m at the end of each segment but the last. With s and
// d_y in the place of e and i: the gradient of m at the beginning of each segment but the first.
struct ChunkEndsCuda {
  ChunkCuda chunk;
  bool reverse;
  float* ends;  // [B, segments - 1, K, D]
  float*
      decays;  // [B, segments - 1, K + D]: what a memory is multiplied by, over rows and channels
};

// Computes the memory before each segment from `ends` and `decays` (reverse: the gradient after).
struct ChunkCarryCuda {
  int segments, B, K, D;
  bool reverse;
  const float *ends, *decays;
  const float* first;  // [B, K, D], null = 0
  float* starts;       // [B, segments, K, D]
};

enum class ChunkPass { kEnds, kForward, kBackward };

// The numbers of rows for which there are kernels, and the channels of a tile then: as many as
// registers and an A100's shared memory hold.
constexpr int kChunkSizes[] = {32, 64, 128};
LCSM_HOST_DEVICE constexpr int chunk_channels(int K, ChunkPass pass) {
  return K < 128 ? K : pass != ChunkPass::kBackward ? 64 : 16;
}

// Bytes of a row in shared memory. Bfloat16 rows are padded by 16 bytes, so that 8 neighbouring
// rows begin in different banks; float32 rows are swizzled.
LCSM_HOST_DEVICE constexpr int chunk_row_bytes(int width, bool bfloat16) {
  return bfloat16 ? 2 * width + 16 : 4 * width;
}
// Shared memory: rows of e and i, but for ends also s, backward also d_y; memories, backward also
// their gradients and sums for the gate's gradient; decays; factors of each row and channel.
LCSM_HOST_DEVICE constexpr int chunk_tile_bytes(int K, int D, bool bfloat16, ChunkPass pass,
                                                bool decays_k, bool decays_d) {
  const int k = chunk_row_bytes(K, bfloat16), d = chunk_row_bytes(D, bfloat16);
  const bool backward = pass == ChunkPass::kBackward;
  int bytes = kChunkRows * (k + d) + 4 * 2 * (K + D);
  if (pass != ChunkPass::kEnds) bytes += kChunkRows * k + K * d;
  if (backward) bytes += kChunkRows * d + K * d;
  if (decays_k) bytes += kChunkRows * k;
  if (decays_d) bytes += kChunkRows * d;
  if (backward && (decays_k || decays_d)) bytes += 4 * kChunkWarps * (K + D) + 4 * kChunkRows * K;
  return bytes;
}
LCSM_HOST_DEVICE constexpr int chunk_bytes(int K, bool bfloat16, ChunkPass pass, bool decays_k,
                                           bool decays_d) {
  return chunk_tile_bytes(K, chunk_channels(K, pass), bfloat16, pass, decays_k, decays_d);
}

}  // namespace lcsm
