// Backward: M, the gradient of u, goes from the last tile to the first, and meets in each chunk the
// u before it.
//
//   A = sum q^t d_y_t    A' = sum t q^(t-1) d_y_t    X' = sum (31 - j) q^(30-j) x_j
//   M = q^32 M_next + w A
//   d_x_j = sum_(t >= j) k_(t-j) d_y_t + Re sum q^(31-j) M_next
//   d_w = sum A u        d_q = sum M_next (32 q^31 u + X') + w A' u
//
// modes_gradients adds to both what comes through the taps k, from sums of their lags.
#pragma once

#include "lcsm/cuda/modes/products_forward_cuda.cuh"

namespace lcsm {

// Sums of d_y_t x_j over chunks, by eights of t - j: a lane has t - j = 8 n + lane / 4 - lane % 4 *
// 2 and one less.
template <class T, class Tile>
__device__ void add_lags(const Tile& tile) {
  Sum near = {}, far = {};
  const auto x = right_of<true>(tile.x(), 0, 0), later_x = right_of<true>(tile.x(), 16, 0);
  multiply(near, left_of<true>(tile.d_y(), 0, 0), x);
  const auto later = left_of<true>(tile.d_y(), 16, 0);
  multiply(near, later, later_x);
  multiply(far, later, x);
  float4 &a = *tile.lags(0, tile.lane), &b = *tile.lags(1, tile.lane);
  a = {a.x + (near[0][0] + near[1][2]), a.y + (near[0][1] + near[1][3]),
       a.z + (far[1][0] + near[0][2]), a.w + (far[1][1] + near[0][3])};
  b = {b.x + (far[0][0] + far[1][2]), b.y + (far[0][1] + far[1][3]), b.z + far[0][2],
       b.w + far[0][3]};
}
// The sum of one lag, over the lanes.
template <class Tile>
__device__ float lag_of(const Tile& tile, int lag) {
  float sum = 0;
  for (int n = 0; n < 4; ++n)
    for (int less = 0; less < 8; ++less)
      if (const int row = lag - 8 * n + less; row >= 0 && row < 8)
        sum += reinterpret_cast<const float*>(
            tile.lags(n / 2, row * 4 + less / 2))[n % 2 * 2 + less % 2];
  return sum;
}

// The gradient of the last state, conjugate as M is, for this lane's pair. In a last tile that is
// not whole, M enters before the odd steps: the steps behind the last whole chunk.
template <class Tile>
__device__ float2 last_m(const Tile& tile) {
  const ProductsEdges<Tile> edges{tile};
  const auto number = [&](int row) {
    const bool valid = tile.s.first && tile.inside && row < tile.rows;
    return valid ? edges.sign(row) * static_cast<float>(tile.s.first[edges.outside(row, tile.d)])
                 : 0.0f;
  };
  return {number(2 * tile.lane), number(2 * tile.lane + 1)};
}
template <int kParts, class T, class Tile>
__device__ void differentiate_odd_steps(const Tile& tile, int length) {
  if (tile.lane >= tile.pairs) return;
  float2 slope, u = *tile.entering_pair(0, tile.lane);
  odd_steps<T, kParts>(tile, length, u, slope);
  const float2 d_q = pair_product<kParts>(last_m(tile), slope);
  float* const sum =
      tile.sums(tile.channel) + tile.lane / 8 * 32 + tile.lane % 8 / 4 * 16 + 8 + tile.lane % 4;
  sum[0] += d_q.x, sum[4] += d_q.y;
}
template <int kParts, class Tile>
__device__ void add_to_odd_steps(const Tile& tile, int length) {
  const double2 q = tile.pair(tile.s.q);
  double2 now = wide(last_m(tile));
  for (int n = length - 1; n >= length / kProductsSteps * kProductsSteps; --n) {
    float sum = static_cast<float>(kParts == 1 ? now.x + now.y : now.x);
    for (int mask = 16; mask > 2; mask /= 2) sum += __shfl_xor_sync(~0u, sum, mask);
    sum = Tile::over_quads(sum);
    if (tile.lane == 0) put(tile.x().step(n), number_of(*tile.x().step(n)) + sum);
    now = pair_product<kParts>(q, now);
  }
}

// Takes M, in shared memory, back over a tile, and computes d_x in place of x.
template <class T, int kParts, class Tile>
__device__ void products_back_over_tile(const Tile& tile, int length) {
  const int rank = walk_rank<false>(), chunks = length / kProductsSteps;
  const bool whole = chunks == kProductsChunks;
  if (!whole && tile.lane < tile.pairs)
    *tile.entering_pair(1, tile.lane) = narrow(pair_product<kParts>(
        pair_power<kParts>(tile.pair(tile.s.q), length % kProductsSteps), wide(last_m(tile))));
  __syncwarp();
  add_lags<T>(tile);
  const Strip<T> x_slopes = slopes_of(strip_of<true>(tile.x())),
                 d_y_slopes = slopes_of(strip_of<false>(tile.d_y()));
  Places d_x = {};
  {
    const Taps<T> taps(tile.taps());
    const Strip<T> d_y = strip_of<false>(tile.d_y());
#pragma unroll
    for (int n = 0; n < 4; ++n) multiply(d_x[n / 2], left_of(d_y, n % 2), taps.right(n % 2, n / 2));
  }
  const Powers<T> powers = tile.powers();
#pragma unroll 1
  for (int group = 0; group < tile.pairs / kProductsGroup; ++group) {
    Sum u, m, slopes;
    float sums[8];
    gather(powers, group, strip_of<true>(tile.x()), u, strip_of<false>(tile.d_y()), m);
#pragma unroll
    for (int n = 0; n < 2; ++n) {
      const int pair = group * kProductsGroup + 4 * n + tile.lane % 4;
      const float4 factors = tile.factors(pair);
      const WalkPowers<kParts> walk({factors.x, factors.y});
      const float2 weight{factors.z, factors.w};
      float2 &u_before = *tile.entering_pair(0, pair), &m_after = *tile.entering_pair(1, pair);
      float2 of_u[2] = {pair_in(u, n, 0), pair_in(u, n, 1)}, of_m[2], d_w = {};
      walk_chunks<kParts, false>(walk, u_before, of_u);
      float2 after = m_after;
#pragma unroll
      for (int h = 0; h < 2; ++h) {
        const bool enters = !whole && rank == chunks / 2 && h == chunks % 2;
        of_m[h] = pair_added<kParts>(weight, pair_in(m, n, h), enters ? after : float2{});
        d_w = pair_added<kParts>(pair_in(m, n, h), of_u[h], d_w);
        set_pair(u, n, h, of_u[h]);
      }
      if (!whole) after = {};
      const float2 end = walk_chunks<kParts, true>(walk, after, of_m);
      __syncwarp();
      if (walk_rank<true>() == 7) m_after = pair_added<kParts>(tile.drift(pair), after, end);
      if (!whole && rank == chunks / 2) u_before = chunks % 2 == 0 ? of_u[0] : of_u[1];
      set_pair(m, n, 0, of_m[0]), set_pair(m, n, 1, of_m[1]);
      sums[4 * n] = d_w.x, sums[4 * n + 1] = d_w.y;
    }
    gather(powers, group, d_y_slopes, slopes);
#pragma unroll
    for (int n = 0; n < 2; ++n) {
      const int pair = group * kProductsGroup + 4 * n + tile.lane % 4;
      float2 d_q = {};
#pragma unroll
      for (int h = 0; h < 2; ++h)
        d_q = pair_added<kParts>(pair_in(slopes, n, h), pair_in(u, n, h), d_q);
      const float4 factors = tile.factors(pair);
      d_q = pair_product<kParts>({factors.z, factors.w}, d_q);
      sums[4 * n + 2] = d_q.x, sums[4 * n + 3] = d_q.y;
    }
    gather(powers, group, x_slopes, slopes);
#pragma unroll
    for (int n = 0; n < 2; ++n) {
      const int pair = group * kProductsGroup + 4 * n + tile.lane % 4;
      const float2 slope = tile.slope(pair);
      float2 d_q{sums[4 * n + 2], sums[4 * n + 3]};
#pragma unroll
      for (int h = 0; h < 2; ++h)
        d_q = pair_added<kParts>(pair_in(m, n, h),
                                 pair_added<kParts>(slope, pair_in(u, n, h), pair_in(slopes, n, h)),
                                 d_q);
      sums[4 * n + 2] = d_q.x, sums[4 * n + 3] = d_q.y;
    }
    tile.sums(tile.channel)[32 * group + lane_of()] += sum_apart(sums);
    read<T, kParts>(powers, group, m, d_x);
  }
  __syncwarp();
  if (!whole) differentiate_odd_steps<kParts, T>(tile, length);
  __syncwarp();
  put_strip<true>(tile.x(), d_x);
  __syncwarp();
  if (!whole) add_to_odd_steps<kParts>(tile, length);
}

// Stores the sums of a block. Number n of a channel belongs to pair n % 4 of half n / 16 % 2 of
// group n / 32.
template <int kParts, class Tile>
__device__ void put_sums(const Tile& tile) {
  const ModesProductsCuda& s = tile.s;
  const long long copy = static_cast<long long>(tile.b) * gridDim.y + blockIdx.y;
  constexpr int kRow = kProductsSteps + Tile::kGap;
  tile.space[tile.channel * kRow + tile.lane] = lag_of(tile, tile.lane);
  __syncthreads();
  for (int n = Tile::thread_now(); n < kProductsSteps * Tile::kChannels; n += Tile::kThreads) {
    const int channel = n % Tile::kChannels, lag = n / Tile::kChannels;
    if (tile.first_d + channel < s.D)
      s.lags[(copy * kProductsSteps + lag) * s.D + tile.first_d + channel] =
          tile.space[channel * kRow + lag];
  }
  const int numbers = 4 * tile.pairs;
  for (int n = Tile::thread_now(); n < numbers * Tile::kChannels; n += Tile::kThreads) {
    const int channel = n % Tile::kChannels, at = n / Tile::kChannels, d = tile.first_d + channel;
    const int pair = at / 32 * kProductsGroup + at / 16 % 2 * 4 + at % 4, which = at / 8 % 2;
    const int row = 2 * pair + at / 4 % 2;
    if (row < tile.rows && d < s.D)
      s.sums[(((copy * s.N + row / kParts) * 2 + which) * kParts + row % kParts) * s.D + d] =
          tile.sums(channel)[at];
  }
}

template <class T, int kParts>
__device__ void products_backward(const ModesProductsCuda& s) {
  using Tile = ProductsTile<T, kParts, ProductsPass::kBackward>;
  using Steps = ProductsSteps<Tile, T>;
  const Tile tile(s);
  const Steps steps{tile};
  const ProductsEdges<Tile> edges{tile};
  tile.prepare();
  *tile.lags(0, tile.lane) = *tile.lags(1, tile.lane) = {};
  for (int n = tile.lane; n < 4 * tile.pairs; n += 32) tile.sums(tile.channel)[n] = 0;
  if (s.carried)
    edges.enter(1, s.first);
  else
    edges.enter(1, s.after, tile.last - 1);
  __syncthreads();
#pragma unroll 1
  for (int at = tile.last - 1; at >= tile.first; --at) {
    {
      typename Steps::Items x, d_y;
      steps.fetch(s.x, at, true, x);
      steps.fetch(s.d_y, at, false, d_y);
      steps.put(0, x);
      steps.put(1, d_y);
    }
    edges.enter(0, s.before, at);
    __syncthreads();
    products_back_over_tile<T, kParts>(tile, tile.length(at));
    __syncthreads();
    steps.write(s.d_x, at, 0, true);
  }
  if (s.carried && s.last) edges.leave(1, s.last);
  __syncthreads();
  put_sums<kParts>(tile);
}

// Each tile's final M from zero, into `after`.
template <class T, int kParts>
__device__ void products_starts(const ModesProductsCuda& s) {
  using Tile = ProductsTile<T, kParts, ProductsPass::kForward>;
  using Steps = ProductsSteps<Tile, T>;
  const Tile tile(s);
  const Steps steps{tile};
  const ProductsEdges<Tile> edges{tile};
  tile.prepare();
  __syncthreads();
#pragma unroll 1
  for (int at = tile.first; at < tile.last; ++at) {
    typename Steps::Items d_y;
    steps.fetch(s.d_y, at, false, d_y);
    steps.put(0, d_y);
    __syncthreads();
    const Strip<T> strip = strip_of<false>(tile.x());
    const Powers<T> powers = tile.powers();
#pragma unroll 1
    for (int group = 0; group < tile.pairs / kProductsGroup; ++group) {
      Sum z;
      gather(powers, group, strip, z);
#pragma unroll
      for (int n = 0; n < 2; ++n) {
        const int pair = group * kProductsGroup + 4 * n + tile.lane % 4;
        const float4 factors = tile.factors(pair);
        float2 m[2];
#pragma unroll
        for (int h = 0; h < 2; ++h)
          m[h] = pair_product<kParts>({factors.z, factors.w}, pair_in(z, n, h));
        const float2 end =
            walk_chunks<kParts, true>(WalkPowers<kParts>({factors.x, factors.y}), {}, m);
        if (walk_rank<true>() == 7) *tile.entering_pair(0, pair) = end;
      }
    }
    __syncthreads();
    edges.leave(0, s.after, at);
  }
}

}  // namespace lcsm
