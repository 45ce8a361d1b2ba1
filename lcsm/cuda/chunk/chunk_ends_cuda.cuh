// Where time is split: each segment's final state from 0, then the memory before each segment.
#pragma once

#include "lcsm/cuda/chunk/chunk_decays_cuda.cuh"

namespace lcsm {

template <class T, int K>
struct ChunkEnds : ChunkDecays<T, K, chunk_channels(K, ChunkPass::kEnds), ChunkPass::kEnds> {
  static constexpr int D = chunk_channels(K, ChunkPass::kEnds);
  using Tile = ChunkDecays<T, K, D, ChunkPass::kEnds>;

  const bool reverse;

  __device__ explicit ChunkEnds(const ChunkEndsCuda& given)
      : Tile(given.chunk, given.reverse ? 1 : 0), reverse(given.reverse) {}

  // Scales each row of a column by the decay from the row to the end of the chunk, or from the
  // beginning of the chunk to the row, at most 1. Returns the decay over the whole chunk.
  template <int W>
  __device__ float decay_column(const Matrix<T, W>& rows, const Matrix<T, W>& log, int column,
                                int count) const {
    float sum = 0;
    for (int n = 0; n < count; ++n) {
      const int t = reverse ? n : count - 1 - n;
      const float log_t = number_of(*log.at(t, column));
      if (reverse) sum += log_t;
      multiply(rows.at(t, column), expf(sum));
      if (!reverse) sum += log_t;
    }
    return expf(sum);
  }
};

template <class T, int K>
__device__ void chunk_ends(const ChunkEndsCuda& given) {
  const ChunkEnds<T, K> tile(given);
  const ChunkCuda& c = tile.c;
  typename ChunkEnds<T, K>::Memory m = {};
  float decay_k = 1, decay_d = 1;
  const int chunks = (tile.end - tile.begin + kChunkRows - 1) / kChunkRows;
  for (int n = 0; n < chunks; ++n) {
    const int t = tile.begin + (given.reverse ? chunks - 1 - n : n) * kChunkRows;
    const int count = min(kChunkRows, tile.end - t);
    tile.stage_all(t, count);
    __syncthreads();
    if (tile.has_k())
      decay_k *= tile.in[tile.thread] = tile.decay_column(tile.e, tile.log_k, tile.thread, count);
    if (tile.has_d())
      decay_d *= tile.in[K + tile.column_d()] =
          tile.decay_column(tile.i, tile.log_d, tile.column_d(), count);
    __syncthreads();
    tile.scale(m, tile.in);
    tile.add_outer(m, tile.e, tile.i);
    __syncthreads();
  }
  const long long copy = static_cast<long long>(tile.b) * gridDim.y + blockIdx.y;
  tile.store(m, given.ends, copy);
  float* const decays = given.decays + copy * (c.K + c.D);
  if (tile.tile == 0 && tile.thread < c.K) decays[tile.thread] = decay_k;
  if (tile.column_d() < tile.width) decays[c.K + tile.first_d + tile.column_d()] = decay_d;
}

// A thread for each cell of each sequence.
__device__ inline void chunk_carry(const ChunkCarryCuda& carry) {
  const long long cells = static_cast<long long>(carry.K) * carry.D;
  const long long at = static_cast<long long>(blockIdx.x) * blockDim.x + threadIdx.x;
  if (at >= carry.B * cells) return;
  const long long b = at / cells, cell = at % cells;
  const int width = carry.K + carry.D, ends = carry.segments - 1;
  const float* __restrict__ const end = carry.ends + b * ends * cells + cell;
  const float* __restrict__ const decay_k = carry.decays + b * ends * width + cell / carry.D;
  const float* __restrict__ const decay_d =
      carry.decays + b * ends * width + carry.K + cell % carry.D;
  float* __restrict__ const start = carry.starts + b * carry.segments * cells + cell;
  float m = carry.first ? carry.first[at] : 0.0f;
  // Several are loaded before the first is used.
#pragma unroll 4
  for (int n = 0; n < ends; ++n) {
    const long long from = carry.reverse ? ends - 1 - n : n;
    start[(carry.reverse ? ends - n : n) * cells] = m;
    m = fmaf(decay_k[from * width] * decay_d[from * width], m, end[from * cells]);
  }
  start[(carry.reverse ? 0 : ends) * cells] = m;
}

}  // namespace lcsm
