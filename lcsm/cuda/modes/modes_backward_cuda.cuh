// Backward: M goes against u through each tile, and meets it at every step.
#pragma once

#include "lcsm/cuda/modes/modes_carried_cuda.cuh"

namespace lcsm {

// One mode over this thread's steps: adds to d_x, and sums d_y u and M u, with u before each step.
template <bool kBack, class Tile>
__device__ void modes_differentiate(const Tile& tile, int m, int at, const ModesRow& x,
                                    const ModesRow& d_y, ModesRow& d_x) {
  using Value = typename Tile::Value;
  const int count = tile.steps(at, tile.warp);
  const Value q = tile.get(tile.q(m));
  Value before[kModesSteps];
  Value u = tile.entering(ModesWalk::kState, m, at), sum = {};
  in_order<kBack>(count, [&](int i) {
    before[i] = u;
    sum = scaled(d_y[i], u, sum);
    u = added(q, u, x[i]);
  });
  tile.set(tile.sum(m, tile.warp, 0), sum);
  const Value c = tile.get(tile.c(m));
  Value gradient = tile.entering(ModesWalk::kGradient, m, at);
  sum = {};
  in_order<!kBack>(count, [&](int i) {
    d_x[i] += gradient.x[0];
    sum = added(gradient, before[i], sum);
    gradient = added(q, gradient, scaled(d_y[i], c, {}));
  });
  tile.set(tile.sum(m, tile.warp, 1), sum);
}

// The sums of all warps, in their order, by the warp that owns the mode.
template <class Tile>
__device__ void modes_add_sums(const Tile& tile, int m) {
  constexpr int kRows = Tile::kValue / kModesLanes;
  for (int n = 0; n < 2 * kRows; ++n) {
    const int at = n % kRows * kModesLanes + tile.lane;
    float sum = tile.total(m, n / kRows)[at];
    for (int w = 0; w < kModesWarps; ++w) sum += tile.sum(m, w, n / kRows)[at];
    tile.total(m, n / kRows)[at] = sum;
  }
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
  for (int m = tile.warp; m < tile.modes; m += kModesWarps) {
    const ModesDirectionCuda& of = tile.direction(m);
    float* const to = of.sums + (copy * of.N + tile.mode(m)) * 2 * kRows * s.D + tile.d;
    for (int n = 0; n < 2 * kRows; ++n)
      to[n * s.D] = tile.total(m, n / kRows)[n % kRows * kModesLanes + tile.lane];
  }
}

template <class T, int kParts>
__device__ void modes_backward(const ModesCuda& s) {
  using Tile = ModesTile<T, kParts, true>;
  constexpr ModesWalk kState = ModesWalk::kState, kGradient = ModesWalk::kGradient;
  extern __shared__ float space[];
  const Tile tile(s, space);
  const bool back = !s.directions[0].back;
  const bool owns = s.carried && tile.warp < tile.modes;
  tile.prepare();
  for (int m = tile.warp; m < tile.modes; m += kModesWarps)
    for (int which = 0; which < 2; ++which) tile.set(tile.total(m, which), {});
  *tile.d_y_x(tile.warp) = 0;
  const CarriedMode<Tile> own(tile, kGradient);
  if (owns) own.enter();
  __syncthreads();
  for (int n = 0; n < tile.last - tile.first; ++n) {
    const int at = tile.tile(n, back), count = tile.steps(at, tile.warp);
    ModesRow x, d_y, d_x;
    tile.load(s.x, at, x);
    tile.load(s.d_y, at, d_y);
    tile.leave_out(tile.padding(at), x);
    const float direct = tile.direct_sum();
    float d_y_x = *tile.d_y_x(tile.warp);
#pragma unroll
    for (int i = 0; i < kModesSteps; ++i) {
      d_y_x = fmaf(d_y[i], x[i], d_y_x);
      d_x[i] = direct * d_y[i];
    }
    *tile.d_y_x(tile.warp) = d_y_x;
    for (int group = 0; group < tile.modes; group += kModesWarps) {
      const int own_mode = group + tile.warp;
      if (own_mode < tile.modes) {
        const ModesDirectionCuda& of = tile.direction(own_mode);
        tile.set(tile.start(kState, own_mode), tile.load_edge(of.before, own_mode, at));
        tile.set(tile.start(kGradient, own_mode),
                 s.carried ? own.u() : tile.load_edge(of.after, own_mode, at));
      }
      tile.template put_ends<kState>(x, count, group);
      tile.template put_ends<kGradient>(d_y, count, group);
      __syncthreads();
      for (int m = group; m < min(tile.modes, group + kModesWarps); ++m)
        if (tile.back(kState, m))
          modes_differentiate<true>(tile, m, at, x, d_y, d_x);
        else
          modes_differentiate<false>(tile, m, at, x, d_y, d_x);
      if (owns) own.pass(at);
      __syncthreads();
      if (own_mode < tile.modes) modes_add_sums(tile, own_mode);
    }
    tile.leave_out(tile.padding(at), d_x);
    tile.store(s.d_x, at, d_x);
  }
  if (owns) own.leave();
  modes_put_sums(tile);
}

}  // namespace lcsm
