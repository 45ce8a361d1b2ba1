// Forward: w of a chunk from the memory before it, then y as the chunked recurrence has it.
#pragma once

#include "lcsm/cuda/delta_tile_cuda.cuh"

namespace lcsm {

template <class T, int K>
__device__ void delta_forward(const DeltaCuda& given) {
  constexpr int D = delta_channels(K, sizeof(T) == 2, ChunkPass::kForward);
  using Tile = ChunkDecays<T, K, D, ChunkPass::kForward>;
  const DeltaTile<T, K, D, Tile> tile(given);
  const ChunkCuda& c = tile.c;
  const int chunks = chunk_kept(c.T, c.enters), skipped = c.enters ? 0 : 1;
  typename Tile::Memory m;
  tile.load(c.first, m);
  for (int t = 0; t < c.T; t += kChunkRows) {
    const int count = min(kChunkRows, c.T - t);
    const bool enters = t > 0 || c.enters;
    if (enters) {
      tile.store(m, static_cast<T*>(c.kept),
                 static_cast<long long>(tile.b) * chunks + t / kChunkRows - skipped);
      tile.stash(m, tile.memory);
    }
    tile.stage_chunk(t, count);
    Sum erased[D / 16] = {};
    if (enters) add_product<false, true, K>(erased, tile.v, 16 * tile.warp, tile.memory, 0);
    tile.scale_since(erased);
    tile.each_of_rows(erased, [&](float2& x, int row, int d) {
      const float2 i = two_of(tile.i.at(row, d));
      put_two(tile.right.at(row, d), {i.x - x.x, i.y - x.y});
    });
    tile.template solve_system<false>();
    tile.put_solved(given.w, 1, t, count);

    Sum scores[kChunkWarps] = {}, y[D / 16] = {};
    if (enters) add_product<false, true, K>(y, tile.s, 16 * tile.warp, tile.memory, 0);
    tile.scale_since(y);
    tile.template scores_of<Half::kUntil, true, K>(scores, tile.s, tile.e);
    add_scored<Half::kUntil>(y, scores, tile.warp, tile.solved, 0);
#pragma unroll
    for (int below = 0; below < 2; ++below) {
      const int row = tile.score_row() + 8 * below;
      T* const to =
          row < count ? static_cast<T*>(c.to_y) + tile.step(t + row) * c.D + tile.first_d : nullptr;
#pragma unroll
      for (int p = 0; p < D / 16; ++p) put_columns(to, 16 * p, tile.width, c.D, y[p], below);
    }
    __syncthreads();
    if (t + count == c.T && !c.leaves) break;
    if (tile.decays()) {
      tile.scale_rows(tile.e, [&](int row) { return tile.left_until_end(row); });
      const float left = tile.left_since(kChunkRows - 1);
      tile.each(m, [&](float2& x, int, int) { x = {x.x * left, x.y * left}; });
      __syncthreads();
    }
    tile.add_outer(m, tile.e, tile.solved);
    __syncthreads();
  }
  tile.store(m, c.last, tile.b);
}

}  // namespace lcsm
