// Forward: y of a tile from u where it enters and from the tile's own steps.
#pragma once

#include "lcsm/cuda/modes/modes_carried_cuda.cuh"

namespace lcsm {

// Adds what a mode gives to y at this thread's steps.
template <class Tile>
__device__ void modes_read(const Tile& tile, int m, int at, const ModesRow& x, ModesRow& y) {
  const int count = tile.steps(at, tile.warp);
  const auto q = tile.get(tile.q(m)), c = tile.get(tile.c(m));
  auto u = tile.entering(ModesWalk::kState, m, at);
  const auto step = [&](int i) {
    y[i] = real_added(c, u, y[i]);
    u = added(q, u, x[i]);
  };
  if (tile.back(ModesWalk::kState, m))
    in_order<true>(count, step);
  else
    in_order<false>(count, step);
}

template <class T, int kParts>
__device__ void modes_forward(const ModesCuda& s) {
  using Tile = ModesTile<T, kParts, false>;
  constexpr ModesWalk kState = ModesWalk::kState;
  extern __shared__ float space[];
  const Tile tile(s, space);
  const bool back = s.directions[0].back, owns = s.carried && tile.warp < tile.modes;
  T next[kModesSteps];
  tile.fetch(s.x, tile.tile(0, back), next);
  bool padded = tile.padded(tile.tile(0, back));
  tile.prepare();
  const CarriedMode<Tile> own(tile, kState);
  if (owns) own.enter();
  __syncthreads();
  const float direct = tile.direct_sum();
  for (int n = 0; n < tile.last - tile.first; ++n) {
    const int at = tile.tile(n, back);
    ModesRow x, y;
#pragma unroll
    for (int i = 0; i < kModesSteps; ++i) x[i] = number_of(next[i]);
    tile.leave_out(__ballot_sync(~0u, padded), x);
    if (n + 1 < tile.last - tile.first) {
      tile.fetch(s.x, tile.tile(n + 1, back), next);
      padded = tile.padded(tile.tile(n + 1, back));
    }
#pragma unroll
    for (int i = 0; i < kModesSteps; ++i) y[i] = direct * x[i];
    for (int group = 0; group < tile.modes; group += kModesWarps) {
      if (const int m = group + tile.warp; m < tile.modes) {
        float* const before = tile.direction(m).before;
        const auto u = s.carried ? own.u() : tile.load_edge(before, m, at);
        tile.set(tile.start(kState, m), u);
        if (s.carried && before) tile.store_edge(before, m, at, u);
      }
      tile.template put_ends<kState>(x, tile.steps(at, tile.warp), group);
      __syncthreads();
      for (int m = group; m < min(tile.modes, group + kModesWarps); ++m)
        modes_read(tile, m, at, x, y);
      if (owns) own.pass(at);
      __syncthreads();
    }
    tile.store(s.y, at, y);
  }
  if (owns) own.leave();
}

}  // namespace lcsm
