// Backward: M goes against u through each tile, and meets it at every step.
#pragma once

#include "lcsm/cuda/modes/modes_tile_cuda.cuh"

namespace lcsm {

// Adds the two halves of a warp to a sum of the lane's own channel.
template <class Tile>
__device__ void modes_add_sum(const Tile& tile, int m, int which,
                              const typename Tile::Both& of_steps) {
  typename Tile::Value mine, others, all = {};
  tile.own(of_steps, &mine, &others);
  float* const sum = tile.sum(m, tile.warp, which);
  if (tile.group() == tile.modes()) all = tile.get(sum);
  for (int p = 0; p < Tile::kValue / kModesLanes; ++p) all.x[p] += mine.x[p] + others.x[p];
  tile.set(sum, all);
}

// One mode over this thread's steps: adds to d_x (a single mode writes it), and sums d_y u and M u,
// with u before each step.
template <bool kBack, class Tile>
__device__ void modes_differentiate(const Tile& tile, int m, int at, int turn, float2 direct,
                                    const ModesRow& x, const ModesRow& d_y, ModesRow& d_x) {
  using Both = typename Tile::Both;
  const int count = tile.count(at);
  const Both q = tile.both(tile.q(m));
  Both before[kModesSteps];
  Both u = tile.template entering<ModesWalk::kState>(m, at, turn), sum = {};
  in_order<Tile, kBack>(count, [&](int i) {
    before[i] = u;
    sum = scaled(d_y[i], u, sum);
    u = added(q, u, x[i]);
  });
  modes_add_sum(tile, m, 0, sum);
  const Both c = tile.both(tile.c(m));
  Both gradient = tile.template entering<ModesWalk::kGradient>(m, at, turn);
  sum = {};
  in_order<Tile, !kBack>(count, [&](int i) {
    d_x[i] = Tile::kIsOne ? float2{fmaf(direct.x, d_y[i].x, gradient.x.x[0]),
                                   fmaf(direct.y, d_y[i].y, gradient.y.x[0])}
                          : float2{d_x[i].x + gradient.x.x[0], d_x[i].y + gradient.y.x[0]};
    sum = added(gradient, before[i], sum);
    gradient = added(q, gradient, scaled(d_y[i], c, {}));
  });
  modes_add_sum(tile, m, 1, sum);
}

// The sums of all warps, in their order.
template <class Tile>
__device__ typename Tile::Value modes_sum(const Tile& tile, int m, int which,
                                          typename Tile::Value all) {
  for (int w = 0; w < kModesWarps; ++w) {
    const auto sum = tile.get(tile.sum(m, w, which));
    for (int p = 0; p < Tile::kValue / kModesLanes; ++p) all.x[p] += sum.x[p];
  }
  return all;
}

// Where there are several groups: adds this turn's sums to the totals, before the next turn
// overwrites them.
template <class Tile>
__device__ void modes_keep_sums(const Tile& tile, int group) {
  if (tile.group() == tile.modes()) return;
  __syncthreads();
  const int m = group + tile.warp;
  if (tile.warp >= tile.group() || m >= tile.modes()) return;
  for (int which = 0; which < 2; ++which)
    tile.set(tile.total(m, which), modes_sum(tile, m, which, tile.get(tile.total(m, which))));
}

template <class Tile>
__device__ void modes_add_d_y_x(const Tile& tile, float2 d_y_x) {
  const float mine = tile.half == 1 ? d_y_x.y : d_y_x.x;
  *tile.d_y_x(tile.warp) += mine + __shfl_xor_sync(~0u, tile.half == 1 ? d_y_x.x : d_y_x.y, 1);
}

template <class Tile>
__device__ void modes_put_sums(const Tile& tile) {
  __syncthreads();
  if (!tile.inside) return;
  const ModesCuda& s = tile.s;
  const long long copy = static_cast<long long>(tile.b) * gridDim.y + blockIdx.y;
  if (tile.warp == 0) {
    float sum = 0;
    for (int w = 0; w < kModesWarps; ++w) sum += *tile.d_y_x(w);
    s.d_y_x[copy * s.D + tile.d] = sum;
  }
  constexpr int kRows = Tile::kValue / kModesLanes;
  for (int m = tile.warp; m < tile.modes(); m += kModesWarps) {
    const ModesDirectionCuda& of = tile.direction(m);
    float* const to = of.sums + (copy * of.N + tile.mode(m)) * 2 * kRows * s.D + tile.d;
    for (int which = 0; which < 2; ++which) {
      const auto sum = tile.group() < tile.modes() ? tile.get(tile.total(m, which))
                                                   : modes_sum(tile, m, which, {});
      for (int p = 0; p < kRows; ++p) to[(which * kRows + p) * s.D] = sum.x[p];
    }
  }
}

// The states that enter a tile, loaded ahead. Warp w loads mode w of a group.
template <class Tile>
struct ModesEdges {
  typename Tile::Value state = {}, gradient = {};

  __device__ static int mode(const Tile& tile, int group) {
    const int m = group + tile.warp;
    return tile.warp < tile.group() && m < tile.modes() ? m : -1;
  }
  __device__ void fetch(const Tile& tile, int at, int group) {
    const int m = mode(tile, group);
    if (m < 0) return;
    state = tile.load_edge(tile.direction(m).before, m, at);
    if (!tile.s.carried) gradient = tile.load_edge(tile.direction(m).after, m, at);
  }
  __device__ void put(const Tile& tile, int turn, int group) const {
    const int m = mode(tile, group);
    if (m < 0) return;
    tile.set(tile.start(ModesWalk::kState, m, turn), state);
    if (!tile.s.carried) tile.set(tile.start(ModesWalk::kGradient, m, turn), gradient);
  }
};

template <class T, int kParts, bool kOne>
__device__ void modes_backward(const ModesCuda& s) {
  using Tile = ModesTile<T, kParts, true, kOne>;
  constexpr ModesWalk kState = ModesWalk::kState, kGradient = ModesWalk::kGradient;
  constexpr bool kAhead = kOne;  // else two tiles do not fit registers
  extern __shared__ float4 space[];
  const Tile tile(s, reinterpret_cast<float*>(space));
  const bool back = !s.directions[0].back;
  const int all = tile.last - tile.first;
  typename Tile::Pairs next_x, next_d_y;
  ModesEdges<Tile> edges;
  bool padded = false;
  const auto fetch = [&](int at) {
    tile.fetch(s.x, at, next_x);
    tile.fetch(s.d_y, at, next_d_y);
    padded = tile.padded(at);
  };
  if (kAhead) fetch(tile.tile(0, back));
  edges.fetch(tile, tile.tile(0, back), 0);
  tile.prepare();
  for (int m = 0; m < tile.modes(); ++m)
    for (int which = 0; which < 2; ++which) {
      if (tile.group() == tile.modes())
        tile.set(tile.sum(m, tile.warp, which), {});
      else if (m % kModesWarps == tile.warp)
        tile.set(tile.total(m, which), {});
    }
  *tile.d_y_x(tile.warp) = 0;
  tile.enter();
  __syncthreads();
  float2 direct = tile.direct_sum();
  float2 d_y_x = {};
  int turn = 0;
  for (int n = 0; n < all; ++n) {
    const int at = tile.tile(n, back);
    ModesRow x, d_y, d_x;
    if (!kAhead) fetch(at);
    tile.read(next_x, x);
    tile.read(next_d_y, d_y);
    tile.leave_out(tile.padding(padded), x);
    if (!kOne) direct = tile.direct_sum();  // not kept: registers are few
    if (kAhead && n + 1 < all) fetch(tile.tile(n + 1, back));
#pragma unroll
    for (int i = 0; i < kModesSteps; ++i) {
      d_y_x = {fmaf(d_y[i].x, x[i].x, d_y_x.x), fmaf(d_y[i].y, x[i].y, d_y_x.y)};
      if (!kOne) d_x[i] = {direct.x * d_y[i].x, direct.y * d_y[i].y};
    }
    if (!kOne) {  // nor are sums
      modes_add_d_y_x(tile, d_y_x);
      d_y_x = {};
    }
    for (int group = 0; group < tile.modes(); group += tile.group(), ++turn) {
      edges.put(tile, turn, group);
      if (const int after = group + tile.group(); after < tile.modes())
        edges.fetch(tile, at, after);
      else if (n + 1 < all)
        edges.fetch(tile, tile.tile(n + 1, back), 0);
      tile.template put_ends<kState>(x, at, turn, group);
      tile.template put_ends<kGradient>(d_y, at, turn, group);
      __syncthreads();
      for (int m = group; m < min(tile.modes(), group + tile.group()); ++m)
        if (tile.back(kState, m))
          modes_differentiate<true>(tile, m, at, turn, direct, x, d_y, d_x);
        else
          modes_differentiate<false>(tile, m, at, turn, direct, x, d_y, d_x);
      modes_keep_sums(tile, group);
    }
    tile.leave_out(tile.padding(tile.padded(at)), d_x);
    tile.store(s.d_x, at, d_x);
  }
  tile.leave(turn);
  if (kOne) modes_add_d_y_x(tile, d_y_x);
  modes_put_sums(tile);
}

}  // namespace lcsm
