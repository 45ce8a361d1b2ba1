// Decays between the steps of a chunk, for the delta rule of bfloat16 rows: one number a step.
#pragma once

#include "lcsm/cuda/chunk/walk_tile_cuda.cuh"
#include "lcsm/cuda/delta/delta_walk_cuda.h"

namespace lcsm {

struct DeltaSteps {
  const Lane lane;
  const bool decays;
  float* logs = nullptr;  // [kChunkRows]: the sum of log_a until each step, of the chunk

  // A lane's two logarithms, of steps 2 lane and 2 lane + 1. exp(-128) is 0 already, and sums of
  // such numbers are exact enough to subtract.
  __device__ float2 load(const ChunkInputCuda& log_a, int b, int t, int count) const {
    if (!decays) return {0, 0};
    const Bfloat16* const at = row_of(log_a, b, t);
    float two[2] = {};
#pragma unroll
    for (int n = 0; n < 2; ++n) {
      const int step = 2 * lane.id + n;
      if (step < count) two[n] = number_of(at[step * log_a.t]);
      asm("max.NaN.f32 %0, %0, %1;" : "+f"(two[n]) : "f"(-128.0f));
    }
    return {two[0], two[1]};
  }
  // Called by one warp.
  __device__ void sum(float2 own) const {
    if (!decays) return;
    float sum = own.x + own.y;
#pragma unroll
    for (int bit = 1; bit < 32; bit *= 2) {
      const float before = __shfl_up_sync(~0u, sum, bit);
      if (lane.id >= bit) sum += before;
    }
    logs[2 * lane.id] = sum - own.y, logs[2 * lane.id + 1] = sum;
  }
  __device__ float since(int row) const { return decays ? exp_of(logs[row]) : 1.0f; }
  __device__ float until_end(int row) const {
    return decays ? exp_of(logs[kChunkRows - 1] - logs[row]) : 1.0f;
  }
  // since() of the two rows of a band that this lane holds.
  __device__ float2 since_two(int band) const {
    const int row = 16 * band + lane.row();
    return {since(row), since(row + 8)};
  }
  __device__ float2 until_end_two(int band) const {
    const int row = 16 * band + lane.row();
    return {until_end(row), until_end(row + 8)};
  }
  template <int kPairs>
  __device__ void scale(Sum (&sums)[kPairs], float2 by) const {
#pragma unroll
    for (int x = 0; x < kPairs * 8; ++x) sums[x / 8][x / 4 % 2][x % 4] *= x % 4 < 2 ? by.x : by.y;
  }
  // Multiplies the scores of a band with a block of 16 steps by the decays between them. Scores of
  // a step with itself become 0 without `self`.
  template <Half half>
  __device__ void decay(Sum& scores, int band, int block, bool self) const {
    if (decays) {
      const int row = 16 * band + lane.row(), column = 16 * block + lane.column();
      const float of_rows[2] = {logs[row], logs[row + 8]};
      const float2 left = two_of(logs + column), right = two_of(logs + column + 8);
      const float of_columns[4] = {left.x, left.y, right.x, right.y};
#pragma unroll
      for (int n = 0; n < 8; ++n) {
        const float log = of_rows[n % 4 / 2] - of_columns[n / 4 * 2 + n % 2];
        scores[n / 4][n % 4] *= exp_of(half == Half::kUntil ? log : -log);
      }
    }
    if (block != band) return;
#pragma unroll
    for (int n = 0; n < 8; ++n) {
      // By how much the row is later than the column.
      const int apart = lane.row() + n % 4 / 2 * 8 - (lane.column() + n / 4 * 8 + n % 2);
      const bool counts = half == Half::kUntil ? apart > 0 : apart < 0;
      if (!counts && !(self & apart == 0)) scores[n / 4][n % 4] = 0;
    }
  }
};

// Puts sums into a band of rows in shared memory, 16 from 16 * band on.
template <int W, int kPairs>
__device__ void put_band(const Rows<W>& to, Sum (&sums)[kPairs], const Lane& lane, int band,
                         int first = 0) {
  each_two<W>(sums, lane, band, first,
              [&](const Place& place, float2& x) { put_two(to, place, x); });
}
// Multiplies a band of rows by factors of this lane's two rows.
template <int W>
__device__ void scale_band(const Rows<W>& rows, const Lane& lane, int band, float2 by) {
  constexpr int kPart = W < 64 ? W : 64;
#pragma unroll 1
  for (int first = 0; first < W; first += kPart) {
    Sum none[kPart / 16] = {};
    each_two<W>(none, lane, band, first, [&](const Place& place, float2&) {
      const float2 x = get_two(rows, place);
      const float w = place.below ? by.y : by.x;
      put_two(rows, place, {x.x * w, x.y * w});
    });
  }
}

}  // namespace lcsm
