// Unit lower triangular systems of the steps of a chunk, in float32, by blocks of 16 rows: diagonal
// blocks are inverted, the others substituted.
#pragma once

#include "lcsm/cuda/chunk/chunk_columns_cuda.cuh"

namespace lcsm {

using Triangle = Matrix<float, kChunkRows>;

// Inverts a diagonal block in place. One warp calls it; a lane has a column of the inverse.
__device__ inline void invert_diagonal(const Triangle& l, int block) {
  const int first = 16 * block, column = lane_of() % 16;
  float x[16];
#pragma unroll
  for (int r = 0; r < 16; ++r) {
    x[r] = r == column ? 1.0f : 0.0f;
#pragma unroll
    for (int q = 0; q < r; q += 2) {
      const float2 two = two_of(l.at(first + r, first + q));
      x[r] -= two.x * x[q];
      if (q + 1 < r) x[r] -= two.y * x[q + 1];
    }
  }
  __syncwarp();
#pragma unroll
  for (int r = 0; r < 16; ++r)
    if (lane_of() < 16) *l.at(first + r, first + column) = x[r];
}

// Calls work(two, row, column) for this lane's numbers of a sum whose first is at (row, column).
template <class Work>
__device__ void each_of_block(Sum& sum, int row, int column, const Work& work) {
#pragma unroll
  for (int n = 0; n < 4; ++n)
    work(float2{sum[n / 2][n % 2 * 2], sum[n / 2][n % 2 * 2 + 1]}, row + lane_of() / 4 + n % 2 * 8,
         column + n / 2 * 8 + lane_of() % 4 * 2);
}

// x becomes (1 + L)^-1 x, or with `transposed` (1 + L)^-T x. The diagonal blocks are inverted
// already. Each warp solves columns of its own.
template <bool transposed, int D>
__device__ void solve(const Triangle& l, const Matrix<float, D>& x, int warp) {
#pragma unroll 1
  for (int column = 16 * warp; column < D; column += 16 * kChunkWarps)
#pragma unroll 1
    for (int n = 0; n < kChunkWarps; ++n) {
      const int row = 16 * (transposed ? kChunkWarps - 1 - n : n);
      Sum known = {}, own = {};
#pragma unroll 1
      for (int m = 0; m < n; ++m) {
        const int before = 16 * (transposed ? kChunkWarps - 1 - m : m);
        multiply(known, left_of<transposed>(l, row, before), right_of<true>(x, column, before));
      }
      each_of_block(known, row, column, [&](float2 two, int r, int c) {
        const float2 all = two_of(x.at(r, c));
        put_two(x.at(r, c), {all.x - two.x, all.y - two.y});
      });
      __syncwarp();
      multiply(own, left_of<transposed>(l, row, row), right_of<true>(x, column, row));
      __syncwarp();
      each_of_block(own, row, column, [&](float2 two, int r, int c) { put_two(x.at(r, c), two); });
      __syncwarp();
    }
}

}  // namespace lcsm
