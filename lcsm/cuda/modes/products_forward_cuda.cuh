// Forward: y of a tile from the u that enters it and from the tile's own steps.
#pragma once

#include "lcsm/cuda/modes/products_steps_cuda.cuh"

namespace lcsm {

// The final states from zero of a strip's chunks, for a group of pairs. A lane has pair lane % 4 of
// each half of the group, for its two chunks.
template <class T>
__device__ void gather(const Powers<T>& powers, int group, const Strip<T>& strip, Sum& sum) {
#pragma unroll
  for (int n = 0; n < 8; ++n) sum[n / 4][n % 4] = 0;
#pragma unroll
  for (int k = 0; k < 2; ++k) multiply(sum, left_of(strip, k), powers.depth(group, k));
}
template <class T>
__device__ void gather(const Powers<T>& powers, int group, const Strip<T>& a, Sum& of_a,
                       const Strip<T>& b, Sum& of_b) {
#pragma unroll
  for (int n = 0; n < 8; ++n) of_a[n / 4][n % 4] = of_b[n / 4][n % 4] = 0;
#pragma unroll
  for (int k = 0; k < 2; ++k) {
    const Right<T> right = powers.depth(group, k);
    multiply(of_a, left_of(a, k), right);
    multiply(of_b, left_of(b, k), right);
  }
}
// y += Re sum q^e z of a group's z, as gathered.
template <class T, int kParts>
__device__ void read(const Powers<T>& powers, int group, Sum& z, Places& y) {
  if (kParts == 2)
#pragma unroll
    for (int n = 0; n < 4; ++n) z[n / 2][n % 2 * 2 + 1] = -z[n / 2][n % 2 * 2 + 1];
  Left<T> left;
  left_of(z, &left);
#pragma unroll
  for (int p = 0; p < 2; ++p) multiply(y[p], left, powers.columns(group, p));
}
__device__ inline float2 pair_in(const Sum& sum, int n, int chunk) {
  return {sum[n][2 * chunk], sum[n][2 * chunk + 1]};
}
__device__ inline void set_pair(Sum& sum, int n, int chunk, const float2& value) {
  sum[n][2 * chunk] = value.x, sum[n][2 * chunk + 1] = value.y;
}

// Walks u over the steps of a tile behind its last whole chunk, one by one; each lane has a pair.
// `slope` is the derivative of u by q.
template <class T, int kParts, class Tile>
__device__ void odd_steps(const Tile& tile, int length, float2& u, float2& slope) {
  const double2 q = tile.pair(tile.s.q);
  double2 now = wide(u), changes = {};
  for (int n = length / kProductsSteps * kProductsSteps; n < length; ++n) {
    const double x = number_of(*tile.x().step(n));
    changes = pair_added<kParts>(q, changes, now);
    now = pair_added<kParts>(q, now, double2{x, kParts == 1 ? x : 0.0});
  }
  u = narrow(now), slope = narrow(changes);
}

// Takes u, in shared memory, over a tile. kReads: computes y, too, in place of x.
template <class T, int kParts, bool kReads, class Tile>
__device__ void products_over_tile(const Tile& tile, int length) {
  const int rank = walk_rank<false>(), chunks = length / kProductsSteps;
  const Strip<T> strip = strip_of<true>(tile.x());
  Places y = {};
  if (kReads) {
    const Taps<T> taps(tile.taps());
#pragma unroll
    for (int n = 0; n < 4; ++n) multiply(y[n / 2], left_of(strip, n % 2), taps.right(n % 2, n / 2));
  }
  const Powers<T> powers = tile.powers();
#pragma unroll 1
  for (int group = 0; group < tile.pairs / kProductsGroup; ++group) {
    Sum z;
    gather(powers, group, strip, z);
#pragma unroll
    for (int n = 0; n < 2; ++n) {
      const int pair = group * kProductsGroup + 4 * n + lane_of() % 4;
      float2 u[2] = {pair_in(z, n, 0), pair_in(z, n, 1)};
      float2* const entering = tile.entering_pair(0, pair);
      const float4 factors = tile.factors(pair);
      const float2 enters = *entering, weight{factors.z, factors.w};
      const float2 end =
          walk_chunks<kParts, false>(WalkPowers<kParts>({factors.x, factors.y}), enters, u);
      __syncwarp();
      if (chunks == kProductsChunks && rank == 7)
        *entering = pair_added<kParts>(tile.drift(pair), enters, end);
      if (chunks < kProductsChunks && rank == chunks / 2) *entering = chunks % 2 == 0 ? u[0] : u[1];
#pragma unroll
      for (int h = 0; kReads && h < 2; ++h) set_pair(z, n, h, pair_product<kParts>(weight, u[h]));
    }
    if (kReads) read<T, kParts>(powers, group, z, y);
  }
  __syncwarp();
  if (length % kProductsSteps != 0 && tile.lane < tile.pairs) {
    float2 slope, &u = *tile.entering_pair(0, tile.lane);
    odd_steps<T, kParts>(tile, length, u, slope);
  }
  __syncwarp();
  if (kReads) put_strip<false>(tile.x(), y);
}

// kReads: computes y; else each tile's final state from zero, into `before`.
template <class T, int kParts, bool kReads>
__device__ void products_forward(const ModesProductsCuda& s) {
  using Tile = ProductsTile<T, kParts, ProductsPass::kForward>;
  using Steps = ProductsSteps<Tile, T>;
  const Tile tile(s);
  const Steps steps{tile};
  const ProductsEdges<Tile> edges{tile};
  typename Steps::Items next;
  steps.fetch(s.x, tile.first, true, next);
  tile.prepare();
  if (!kReads || s.carried)
    edges.enter(0, kReads ? s.first : nullptr);
  else
    edges.enter(0, s.before, tile.first);
  __syncthreads();
  for (int at = tile.first; at < tile.last; ++at) {
    steps.put(0, next);
    if (kReads && s.carried && s.before) edges.leave(0, s.before, at);
    __syncthreads();
    if (at + 1 < tile.last) steps.fetch(s.x, at + 1, true, next);
    products_over_tile<T, kParts, kReads>(tile, tile.length(at));
    __syncthreads();
    if (kReads) {
      steps.write(s.y, at, 0, false);
    } else {
      edges.leave(0, s.before, at);
      edges.enter(0, static_cast<const double*>(nullptr));
      __syncthreads();
    }
  }
  if (kReads && s.carried && s.last) edges.leave(0, s.last);
}

}  // namespace lcsm
