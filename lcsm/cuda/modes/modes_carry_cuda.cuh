// Besides the passes: the states that enter tiles where no block carries them, and sums over
// blocks.
#pragma once

#include "lcsm/cuda/modes/modes_tile_cuda.cuh"

namespace lcsm {

// Each tile's final state from zero: u from x, into `before`, or M from d_y, into `after`.
template <class T, int kParts, ModesWalk walk>
__device__ void modes_ends(const ModesCuda& s) {
  extern __shared__ float4 space[];
  const ModesTile<T, kParts, false> tile(s, reinterpret_cast<float*>(space));
  constexpr bool kOfState = walk == ModesWalk::kState;
  tile.prepare();
  __syncthreads();
  int turn = 0;
  for (int at = tile.first; at < tile.last; ++at) {
    ModesRow x;
    tile.load(kOfState ? s.x : s.d_y, at, x);
    tile.leave_out(tile.padding(kOfState && tile.padded(at)), x);
    for (int group = 0; group < tile.modes(); group += tile.group(), ++turn) {
      tile.template put_ends<walk>(x, at, turn, group);
      __syncthreads();
      if (const int m = group + tile.warp; tile.warp < tile.group() && m < tile.modes()) {
        const ModesDirectionCuda& of = tile.direction(m);
        tile.store_edge(kOfState ? of.before : of.after, m, at, tile.over_tile(walk, m, at, turn));
      }
    }
  }
}

// A thread for each mode of each channel of each sequence.
template <int kParts>
__device__ void modes_carry(const ModesCarryCuda& c) {
  constexpr int kAhead = 8;
  const long long cells = static_cast<long long>(c.N) * c.D;
  const long long of_thread = static_cast<long long>(blockIdx.x) * blockDim.x + threadIdx.x;
  if (of_thread >= c.B * cells) return;
  const long long b = of_thread / cells, cell = of_thread % cells;
  const long long outside = b * c.all * c.D + cell;
  const int tiles = (c.T + c.tile - 1) / c.tile;
  const auto q = mode_of<kParts>(c.q, cell), q_tile = power(q, c.tile),
             q_last = power(q, c.T - (tiles - 1) * c.tile);
  ModeValue<double, kParts> u = {};
  if (c.first) u = mode_of<kParts>(c.first, outside);
  if (c.gradient) u = conjugate(u);
  for (int first = 0; first < tiles; first += kAhead) {
    ModeValue<float, kParts> ends[kAhead];
    const auto place = [&](int n) {
      const int tile = c.back ? tiles - 1 - n : n;
      return c.starts + ((b * tiles + tile) * c.N + cell / c.D) * kParts * c.D + cell % c.D;
    };
#pragma unroll
    for (int n = 0; n < kAhead; ++n)
#pragma unroll
      for (int p = 0; p < kParts; ++p)
        if (first + n < tiles) ends[n].x[p] = place(first + n)[p * c.D];
#pragma unroll
    for (int n = 0; n < kAhead; ++n) {
      if (first + n >= tiles) break;
#pragma unroll
      for (int p = 0; p < kParts; ++p) place(first + n)[p * c.D] = static_cast<float>(u.x[p]);
      const bool is_last = first + n == (c.back ? 0 : tiles - 1);
      u = added(is_last ? q_last : q_tile, u, as<double>(ends[n]));
    }
  }
  if (c.last) put_mode(c.last, outside, c.gradient ? conjugate(u) : u);
}

// Adds this warp's sums of lags to the sums of d_y u and of M u: every tap but the first is
// Re sum w q^(l-1).
template <int kParts>
__device__ void modes_add_lags(const ModesGradientsCuda& g, int warp, int d,
                               const ModeValue<double, kParts>& q,
                               const ModeValue<double, kParts>& w, double* sums) {
  constexpr int kLags = 32, kOwn = kLags / kModesWarps;
  const int first = warp * kOwn;
  // q^(lag - 1), and its derivative by q.
  ModeValue<double, kParts> tap = {}, slope = {}, d_tap = {}, d_slope = {};
  if (first > 0) {
    const ModeValue<double, kParts> before = power(q, first - 2);
    tap = product(q, before);
    slope = scaled(static_cast<double>(first - 1), before, {});
  }
  for (int n = 0; n < kOwn; ++n) {
    double sum = 0;
    for (int copy = 0; copy < g.copies; ++copy)
      sum += g.lags[(static_cast<long long>(copy) * kLags + first + n) * g.D + d];
    if (first + n == 0) {
      sums[2 * kParts] = sum;
      tap.x[0] = 1;
      continue;
    }
    d_tap = scaled(sum, tap, d_tap);
    d_slope = scaled(sum, slope, d_slope);
    slope = added(q, slope, tap);
    tap = product(q, tap);
  }
  d_slope = product(w, d_slope);
  for (int p = 0; p < kParts; ++p) sums[p] += d_tap.x[p], sums[kParts + p] += d_slope.x[p];
}

// A block for 32 channels of a mode: its warps share the copies.
template <int kParts>
__device__ void modes_gradients(const ModesGradientsCuda& g) {
  constexpr int kSums = 2 * kParts + 1;
  __shared__ double of_warps[kModesWarps][kSums][kModesLanes];
  const int lane = threadIdx.x, warp = threadIdx.y, n = static_cast<int>(blockIdx.y);
  const int d = static_cast<int>(blockIdx.x) * kModesLanes + lane;
  double sums[kSums] = {};
  using Value = ModeValue<double, kParts>;
  const long long at = static_cast<long long>(n) * g.D + d;
  const Value q = d < g.D ? mode_of<kParts>(g.q, at) : Value{},
              c = d < g.D ? mode_of<kParts>(g.c, at) : Value{};
  for (int copy = warp; copy < g.copies && d < g.D; copy += kModesWarps) {
    const float* const row =
        g.sums + (static_cast<long long>(copy) * g.N + n) * 2 * kParts * g.D + d;
#pragma unroll
    for (int k = 0; k < 2 * kParts; ++k) sums[k] += row[k * g.D];
    if (!g.lags) sums[2 * kParts] += g.d_y_x[static_cast<long long>(copy) * g.D + d];
  }
  if (g.lags && d < g.D) modes_add_lags(g, warp, d, q, g.late ? c : product(q, c), sums);
  for (int k = 0; k < kSums; ++k) of_warps[warp][k][lane] = sums[k];
  __syncthreads();
  if (warp > 0 || d >= g.D) return;
  for (int w = 1; w < kModesWarps; ++w)
    for (int k = 0; k < kSums; ++k) sums[k] += of_warps[w][k][lane];
  Value d_y_u, m_u;
  for (int p = 0; p < kParts; ++p) d_y_u.x[p] = sums[p], m_u.x[p] = sums[kParts + p];
  const double d_y_x = sums[2 * kParts];
  put_mode(g.d_q, at, conjugate(g.late ? m_u : added(c, d_y_u, m_u)));
  put_mode(g.d_c, at, conjugate(g.late ? d_y_u : added(q, d_y_u, d_y_x)));
  if (g.d_shortcut && n == 0) g.d_shortcut[d] = static_cast<float>(d_y_x);
}

}  // namespace lcsm
