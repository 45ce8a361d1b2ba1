// Forward: y of a tile from the u that enters it and from the tile's own steps.
#pragma once

#include "lcsm/cuda/modes/modes_tile_cuda.cuh"

namespace lcsm {

// Adds what a mode gives to y at this thread's steps.
template <class Tile>
__device__ void modes_read(const Tile& tile, int m, int at, int turn, const ModesRow& x,
                           ModesRow& y) {
  const int count = tile.count(at);
  const auto q = tile.both(tile.q(m)), c = tile.both(tile.c(m));
  auto u = tile.template entering<ModesWalk::kState>(m, at, turn);
  const auto step = [&](int i) {
    y[i] = real_added(c, u, y[i]);
    u = added(q, u, x[i]);
  };
  if (tile.back(ModesWalk::kState, m))
    in_order<Tile, true>(count, step);
  else
    in_order<Tile, false>(count, step);
}

template <class T, int kParts, bool kOne>
__device__ void modes_forward(const ModesCuda& s) {
  using Tile = ModesTile<T, kParts, false, kOne>;
  constexpr ModesWalk kState = ModesWalk::kState;
  extern __shared__ float4 space[];
  const Tile tile(s, reinterpret_cast<float*>(space));
  const bool back = s.directions[0].back;
  typename Tile::Pairs next;
  tile.fetch(s.x, tile.tile(0, back), next);
  bool padded = tile.padded(tile.tile(0, back));
  tile.prepare();
  tile.enter();
  __syncthreads();
  const float2 direct = tile.direct_sum();
  int turn = 0;
  for (int n = 0; n < tile.last - tile.first; ++n) {
    const int at = tile.tile(n, back);
    ModesRow x, y;
    tile.read(next, x);
    tile.leave_out(tile.padding(padded), x);
    if (n + 1 < tile.last - tile.first) {
      tile.fetch(s.x, tile.tile(n + 1, back), next);
      padded = tile.padded(tile.tile(n + 1, back));
    }
#pragma unroll
    for (int i = 0; i < kModesSteps; ++i) y[i] = {direct.x * x[i].x, direct.y * x[i].y};
    for (int group = 0; group < tile.modes(); group += tile.group(), ++turn) {
      if (const int m = group + tile.warp;
          !s.carried && tile.warp < tile.group() && m < tile.modes())
        tile.set(tile.start(kState, m, turn), tile.load_edge(tile.direction(m).before, m, at));
      tile.template put_ends<kState>(x, at, turn, group);
      __syncthreads();
      for (int m = group; m < min(tile.modes(), group + tile.group()); ++m)
        modes_read(tile, m, at, turn, x, y);
    }
    tile.store(s.y, at, y);
  }
  tile.leave(turn);
}

}  // namespace lcsm
