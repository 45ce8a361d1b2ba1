// Forward: w of a chunk from the memory before it, then y as in the chunked recurrence. kEnds:
// computes only the memory.
#pragma once

#include "lcsm/cuda/delta/delta_tile_cuda.cuh"

namespace lcsm {

template <class T, int K, int D>
struct DeltaForward : DeltaTile<T, K, D, ChunkDecays<T, K, D, ChunkPass::kForward>> {
  using Tile = DeltaTile<T, K, D, ChunkDecays<T, K, D, ChunkPass::kForward>>;
  using Tile::c;
  using Tile::solved;
  using Tile::warp;

  __device__ explicit DeltaForward(const DeltaCuda& given) : Tile(given) {}

  // w of a chunk, from the memory before it if one enters.
  __device__ void solve_chunk(bool enters, void* w, int t, int count) const {
    Sum erased[D / 16] = {};
    if (enters) add_product<false, true, K>(erased, this->v, 16 * warp, this->memory, 0);
    this->scale_since(erased);
    this->each_of_rows(erased, [&](float2& x, int row, int d) {
      const float2 i = two_of(this->i.at(row, d));
      put_two(this->right.at(row, d), {i.x - x.x, i.y - x.y});
    });
    this->template solve_system<false>();
    this->put_solved(w, 1, t, count);
  }
  __device__ void put_outputs(bool enters, int t, int count) const {
    Sum scores[kChunkWarps] = {}, y[D / 16] = {};
    if (enters) add_product<false, true, K>(y, this->s, 16 * warp, this->memory, 0);
    this->scale_since(y);
    this->template scores_of<Half::kUntil, true, K>(scores, this->s, this->e);
    add_scored<Half::kUntil>(y, scores, warp, solved, 0);
#pragma unroll
    for (int below = 0; below < 2; ++below) {
      const int row = this->score_row() + 8 * below;
      T* const to = row < count
                        ? static_cast<T*>(c.to_y) + this->step(t + row) * c.D + this->first_d
                        : nullptr;
#pragma unroll
      for (int p = 0; p < D / 16; ++p) put_columns(to, 16 * p, this->width, c.D, y[p], below);
    }
    __syncthreads();
  }
};

template <class T, int K, bool kEnds = false>
__device__ void delta_forward(const DeltaCuda& given) {
  constexpr int D = delta_channels(K, sizeof(T) == 2, ChunkPass::kForward);
  const DeltaForward<T, K, D> tile(given);
  const ChunkCuda& c = tile.c;
  const int chunks = chunk_kept(c.T, c.enters), skipped = c.enters ? 0 : 1;
  if (kEnds && tile.b >= c.B) return;
  typename DeltaForward<T, K, D>::Memory m;
  if (kEnds)
    tile.start_ends(m);
  else
    tile.load(c.first, m);
  for (int t = tile.begin; t < tile.end; t += kChunkRows) {
    const int count = min(kChunkRows, tile.end - t);
    const bool enters = t > (kEnds ? tile.begin : 0) || c.enters;
    if (enters) {
      if (!kEnds)
        tile.store(m, static_cast<T*>(c.kept),
                   static_cast<long long>(tile.b) * chunks + t / kChunkRows - skipped);
      tile.stash(m, tile.memory);
    }
    tile.template stage_chunk<kEnds>(t, count);
    tile.solve_chunk(enters, kEnds ? nullptr : given.w, t, count);
    if (!kEnds) {
      tile.put_outputs(enters, t, count);
      if (t + count == tile.end && !(tile.end == c.T && c.leaves)) break;
    }
    if (tile.decays()) {
      tile.scale_rows(tile.e, [&](int row) { return tile.left_until_end(row); });
      const float left = tile.left_since(kChunkRows - 1);
      tile.each(m, [&](float2& x, int, int) { x = {x.x * left, x.y * left}; });
      __syncthreads();
    }
    tile.add_outer(m, tile.e, tile.solved);
    __syncthreads();
  }
  if (kEnds)
    tile.store_ends(m);
  else if (tile.end == c.T)
    tile.store(m, c.last, tile.b);
}

}  // namespace lcsm
