// A pair, a complex number or two real ones side by side, and its walk from chunk to chunk.
#pragma once

#include "lcsm/cuda/chunk/chunk_products_cuda.cuh"
#include "lcsm/cuda/modes/products_cuda.h"

namespace lcsm {

__device__ inline float2 pair_of(float x, float y) { return {x, y}; }
__device__ inline double2 pair_of(double x, double y) { return {x, y}; }
__device__ inline float product_sum(float a, float b, float c) { return fmaf(a, b, c); }
__device__ inline double product_sum(double a, double b, double c) { return fma(a, b, c); }

// a b + c
template <int kParts, class Pair>
__device__ Pair pair_added(const Pair& a, const Pair& b, const Pair& c) {
  if (kParts == 1) return pair_of(product_sum(a.x, b.x, c.x), product_sum(a.y, b.y, c.y));
  return pair_of(product_sum(a.x, b.x, product_sum(-a.y, b.y, c.x)),
                 product_sum(a.x, b.y, product_sum(a.y, b.x, c.y)));
}
template <int kParts, class Pair>
__device__ Pair pair_product(const Pair& a, const Pair& b) {
  return pair_added<kParts>(a, b, Pair{});
}
// a^(2^n)
template <int kParts>
__device__ double2 pair_squared(double2 a, int n) {
  for (int k = 0; k < n; ++k) a = pair_product<kParts>(a, a);
  return a;
}
template <int kParts>
__device__ double2 pair_power(double2 a, int n) {
  double2 result{1, kParts == 1 ? 1.0 : 0.0};
  for (; n > 0; n /= 2) {
    if (n % 2 == 1) result = pair_product<kParts>(result, a);
    a = pair_product<kParts>(a, a);
  }
  return result;
}
__device__ inline float2 narrow(const double2& a) {
  return {static_cast<float>(a.x), static_cast<float>(a.y)};
}
__device__ inline double2 wide(const float2& a) { return {a.x, a.y}; }
// Re(a b), or the sum of both products.
template <int kParts>
__device__ float pair_read(const double2& a, const double2& b) {
  return static_cast<float>(fma(a.x, b.x, (kParts == 1 ? a.y : -a.y) * b.y));
}

// Sums each of 8 numbers over the lanes of equal lane % 4. Returns the sum of number lane / 4.
__device__ inline float sum_apart(const float (&x)[8]) {
  const int lane = lane_of();
  float four[4], two[2];
#pragma unroll
  for (int i = 0; i < 4; ++i) {
    const bool upper = lane / 16 % 2 == 1;
    four[i] = (upper ? x[i + 4] : x[i]) + __shfl_xor_sync(~0u, upper ? x[i] : x[i + 4], 16);
  }
#pragma unroll
  for (int i = 0; i < 2; ++i) {
    const bool upper = lane / 8 % 2 == 1;
    two[i] =
        (upper ? four[i + 2] : four[i]) + __shfl_xor_sync(~0u, upper ? four[i] : four[i + 2], 8);
  }
  const bool upper = lane / 4 % 2 == 1;
  return (upper ? two[1] : two[0]) + __shfl_xor_sync(~0u, upper ? two[0] : two[1], 4);
}

// walk_chunks: a lane has chunks 2 (lane / 4) and 2 (lane / 4) + 1. Replaces the chunks' final
// states from zero by the states that enter them, where `enters` enters the first of all 16 (kBack:
// chunk 15). Returns the state that leaves the last chunk, in its lane, the one of rank 7. The
// caller adds `drift` times `enters` for what the rounded powers lack.
template <bool kBack>
__device__ int walk_rank() {
  const int rank = lane_of() / 4;
  return kBack ? 7 - rank : rank;
}
template <bool kBack>
__device__ float2 from_rank(const float2& x, int before) {
  if (kBack)
    return {__shfl_down_sync(~0u, x.x, 4 * before), __shfl_down_sync(~0u, x.y, 4 * before)};
  return {__shfl_up_sync(~0u, x.x, 4 * before), __shfl_up_sync(~0u, x.y, 4 * before)};
}
template <int kParts>
struct WalkPowers {  // q over one, two, four and eight chunks
  float2 one, two, four, eight;
  __device__ explicit WalkPowers(const float2& q)
      : one(q),
        two(pair_product<kParts>(one, one)),
        four(pair_product<kParts>(two, two)),
        eight(pair_product<kParts>(four, four)) {}
};
template <int kParts, bool kBack>
__device__ float2 walk_chunks(const WalkPowers<kParts>& q, const float2& enters,
                              float2 (&chunks)[2]) {
  const int rank = walk_rank<kBack>();
  const float2 first = chunks[kBack ? 1 : 0];
  float2 sum = pair_added<kParts>(q.one, first, chunks[kBack ? 0 : 1]);
  if (rank == 0) sum = pair_added<kParts>(q.two, enters, sum);
  const float2 factors[3] = {q.two, q.four, q.eight};
#pragma unroll
  for (int n = 0; n < 3; ++n) {
    const float2 other = from_rank<kBack>(sum, 1 << n);
    if (rank >= 1 << n) sum = pair_added<kParts>(factors[n], other, sum);
  }
  float2 now = from_rank<kBack>(sum, 1);
  if (rank == 0) now = enters;
  chunks[kBack ? 1 : 0] = now;
  chunks[kBack ? 0 : 1] = pair_added<kParts>(q.one, now, first);
  return sum;
}

}  // namespace lcsm
