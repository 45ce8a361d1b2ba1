// Forward: y of a chunk from the memory before it and from its own steps.
#pragma once

#include "lcsm/cuda/chunk/chunk_decays_cuda.cuh"

namespace lcsm {

template <class T, int K>
__device__ void chunk_forward(const ChunkCuda& given) {
  constexpr int D = chunk_channels(K, ChunkPass::kForward);
  using Tile = ChunkDecays<T, K, D, ChunkPass::kForward>;
  const Tile tile(given);
  const ChunkCuda& c = tile.c;
  const int chunks = chunk_kept(c.T, c.enters), skipped = c.enters ? 0 : 1;
  typename Tile::Memory m;
  tile.load(c.first, m);
  for (int t = tile.begin, steps; t < tile.end; t += steps) {
    const int count = min(kChunkRows - t % kChunkRows, tile.end - t);
    const bool enters = t > 0 || c.enters;
    if (t % kChunkRows == 0 && enters)
      tile.store(m, static_cast<T*>(c.kept),
                 static_cast<long long>(tile.b) * chunks + t / kChunkRows - skipped);
    tile.stage_all(t, count);
    __syncthreads();
    const ChunkSpan span = tile.span(0, count);
    steps = span.steps;
    tile.decay(span.anchor, steps, count);
    __syncthreads();
    if (enters) {
      tile.scale(m, tile.in);
      tile.stash(m, tile.memory);
    }
    Sum scores[kChunkWarps] = {}, y[D / 16] = {};
    add_scores<Half::kUntil, K>(scores, tile.s, tile.warp, tile.e);
    add_scored<Half::kUntil>(y, scores, tile.warp, tile.i, 0);
    if (t + steps < tile.end || (tile.end == c.T && c.leaves)) {
      tile.add_outer(m, tile.e, tile.i);
      tile.scale(m, tile.out);
    }
    __syncthreads();
    if (enters) add_product<false, true, K>(y, tile.s, 16 * tile.warp, tile.memory, 0);
#pragma unroll
    for (int below = 0; below < 2; ++below) {
      const int row = tile.score_row() + 8 * below;
      if (c.log_d.data)
#pragma unroll
        for (int n = 0; n < D / 8; ++n) {
          const float2 w = two_of(tile.log_d.at(row, n * 8 + lane_of() % 4 * 2));
          y[n / 2][n % 2][2 * below] *= w.x;
          y[n / 2][n % 2][2 * below + 1] *= w.y;
        }
      T* const to =
          row < steps ? static_cast<T*>(c.to_y) + tile.step(t + row) * c.D + tile.first_d : nullptr;
#pragma unroll
      for (int p = 0; p < D / 16; ++p) put_columns(to, 16 * p, tile.width, c.D, y[p], below);
    }
    __syncthreads();
  }
  if (tile.end == c.T) tile.store(m, c.last, tile.b);
}

}  // namespace lcsm
