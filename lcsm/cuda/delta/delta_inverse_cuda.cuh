// The inverse of a unit lower triangular matrix of a chunk's steps. A number is the sum of two of
// bfloat16, so a product takes three.
#pragma once

#include "lcsm/cuda/chunk/walk_rows_cuda.cuh"

namespace lcsm {

// A left or right operand, in two parts.
template <class Operand>
struct InParts {
  Operand high, low;
};
// Two neighbours, rounded, and their rounding errors.
__device__ inline uint2 split(float2 x) {
  const unsigned high = pack(x.x, x.y);
  const float2 rounded = two_of(high);
  return {high, pack(x.x - rounded.x, x.y - rounded.y)};
}
__device__ inline void left_of(const Sum& sum, InParts<Left<Bfloat16>>* a) {
#pragma unroll
  for (int n = 0; n < 4; ++n) {
    const uint2 parts = split({sum[n / 2][n % 2 * 2], sum[n / 2][n % 2 * 2 + 1]});
    a->high.x[n] = parts.x, a->low.x[n] = parts.y;
  }
}
__device__ inline void multiply(Sum& sum, const InParts<Left<Bfloat16>>& a,
                                const InParts<Right<Bfloat16>>& b) {
  multiply(sum, a.low, b.high);
  multiply(sum, a.high, b.low);
  multiply(sum, a.high, b.high);
}

// A matrix of a chunk's steps in shared memory, in two parts.
struct SquareInParts {
  using Square = Rows<kChunkRows>;
  Square high, low;
  __device__ void put(const Place& place, float2 x) const {
    const uint2 parts = split(x);
    put_word(high.at + place.offset, parts.x), put_word(low.at + place.offset, parts.y);
  }
  template <bool kDown>
  __device__ InParts<Right<Bfloat16>> right(const Lane& lane, int column, int depth) const {
    InParts<Right<Bfloat16>> b;
    load_right<kDown>(b.high, lane, high, column, depth);
    load_right<kDown>(b.low, lane, low, column, depth);
    return b;
  }
  __device__ InParts<Left<Bfloat16>> left(const Lane& lane, int row, int depth) const {
    InParts<Left<Bfloat16>> a;
    load_left<false>(a.high, lane, high, row, depth);
    load_left<false>(a.low, lane, low, row, depth);
    return a;
  }

  // Replaces a block on the diagonal, [16][16] at `from`, by its transposed inverse. One warp calls
  // it; a lane has a column of the inverse, by substitution.
  __device__ void put_inverse(const Lane& lane, int block, const float* from) const {
    const int column = lane.id % 16;
    float x[16];
#pragma unroll
    for (int r = 0; r < 16; ++r) {
      x[r] = r == column ? 1.0f : 0.0f;
#pragma unroll
      for (int q = 0; q < r; q += 4) {
        const float4 l = *reinterpret_cast<const float4*>(from + 16 * r + q);
        const float four[4] = {l.x, l.y, l.z, l.w};
#pragma unroll
        for (int n = 0; n < 4; ++n)
          if (q + n < r) x[r] -= four[n] * x[q + n];
      }
    }
    if (lane.id >= 16) return;
#pragma unroll
    for (int n = 0; n < 2; ++n) {
      uint2 parts[4];
#pragma unroll
      for (int two = 0; two < 4; ++two)
        parts[two] = split({x[8 * n + 2 * two], x[8 * n + 2 * two + 1]});
      const int unit = 2 * block + n, row = 16 * block + column;
      put_unit(high.unit(row, unit), {parts[0].x, parts[1].x, parts[2].x, parts[3].x});
      put_unit(low.unit(row, unit), {parts[0].y, parts[1].y, parts[2].y, parts[3].y});
    }
  }

  // Computes T^T, the transposed inverse; each warp a band of it. Below the diagonal are blocks of
  // L, on it transposed inverses D^T:
  //
  //   T_nw^T = -(sum over w <= m < n of T_mw^T L_nm^T) D_n^T,   T_ww^T = D_w^T
  __device__ __forceinline__ void invert(const Lane& lane, int warp, const Square& to) const {
    InParts<Left<Bfloat16>> band[kChunkWarps];
#pragma unroll
    for (int n = 0; n < kChunkWarps; ++n) {
      if (n < warp) continue;
      if (n == warp) {
        band[n] = left(lane, 16 * n, 16 * n);
      } else {
        Sum known = {}, own = {};
#pragma unroll
        for (int m = 0; m < n; ++m)
          if (m >= warp) multiply(known, band[m], right<false>(lane, 16 * n, 16 * m));
#pragma unroll
        for (int x = 0; x < 8; ++x) known[x / 4][x % 4] = -known[x / 4][x % 4];
        InParts<Left<Bfloat16>> before;
        left_of(known, &before);
        multiply(own, before, right<true>(lane, 16 * n, 16 * n));
        left_of(own, &band[n]);
      }
      store_left(lane, band[n].high, to, 16 * warp, 16 * n);
    }
  }
  // Stores a left operand at (row, column).
  __device__ static void store_left(const Lane& lane, const Left<Bfloat16>& a, const Square& to,
                                    int row, int column) {
    const unsigned at = to.at + (lane.pair<kChunkRows>(row / 16) ^ column << 1);
#pragma unroll
    for (int n = 0; n < 4; ++n)
      put_word((n / 2 ? at ^ 16 : at) + n % 2 * 8 * Square::kBytes, a.x[n]);
  }
};

}  // namespace lcsm
