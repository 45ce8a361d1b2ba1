// A team of threads keeps a row in registers, each thread units of neighbouring numbers. A block
// computes as many rows at once as it has teams.
#pragma once

#include "lcsm/cuda/step/norm_cuda.h"
#include "lcsm/cuda/step/vectors_cuda.cuh"

namespace lcsm {

using NormColumns = float[kNormNumbers][kNormStride];

template <int kUnit>
struct NormRows {
  static constexpr int kUnits = kNormNumbers / kUnit;
  using Row = float[kUnits][kUnit];  // this thread's numbers

  const NormCuda& n;
  const int lane, teams, team;  // in the team; of the block; this
  long long row;
  float (*parts)[2][32];  // of sums of teams
  int turn = 0;           // so that one barrier a sum is enough

  __device__ NormRows(const NormCuda& norm, float (*shared)[2][32])
      : n(norm),
        lane(threadIdx.x % norm.team),
        teams(kNormThreads / norm.team),
        team(threadIdx.x / norm.team),
        row(static_cast<long long>(blockIdx.x) * teams + team),
        parts(shared) {}

  // All teams of a block go on together; some of the last rows may not exist.
  __device__ bool more() const { return row - team < n.rows; }
  __device__ void next() { row += static_cast<long long>(gridDim.x) * teams; }

  __device__ int column(int unit) const { return (unit * n.team + lane) * kUnit; }
  __device__ bool has(int unit) const { return column(unit) < n.d && row < n.rows; }

  template <class T>
  __device__ void read(const T* from, Row& x) const {
    from += row * n.d;
#pragma unroll
    for (int u = 0; u < kUnits; ++u) {
#pragma unroll
      for (float& number : x[u]) number = 0;
      if (has(u)) read_unit(from + column(u), x[u]);
    }
  }
  template <class T>
  __device__ void write(const Row& x, T* to) const {
    to += row * n.d;
#pragma unroll
    for (int u = 0; u < kUnits; ++u)
      if (has(u)) write_unit(to + column(u), x[u]);
  }
  __device__ void of_columns(const float* from, float otherwise, Row& x) const {
#pragma unroll
    for (int u = 0; u < kUnits; ++u) {
#pragma unroll
      for (float& number : x[u]) number = otherwise;
      if (from == nullptr || column(u) >= n.d) continue;
      if (n.aligned) {
        read_unit(from + column(u), x[u]);
        continue;
      }
#pragma unroll
      for (int j = 0; j < kUnit; ++j) x[u][j] = from[column(u) + j];
    }
  }

  // Numbers that only the thread that wrote them reads again.
  __device__ void keep(const Row& x, NormColumns& shared) const {
#pragma unroll
    for (int k = 0; k < kNormNumbers; ++k) shared[k][threadIdx.x] = x[k / kUnit][k % kUnit];
  }

  // Sums over the team, in a fixed order; all threads get the same bits.
  template <int kCount>
  __device__ void sum(float (&x)[kCount]) {
#pragma unroll
    for (int c = 0; c < kCount; ++c)
      for (int by = n.team < 32 ? n.team / 2 : 16; by > 0; by /= 2)
        x[c] += __shfl_xor_sync(~0u, x[c], by);
    if (n.team <= 32) return;
    const int first = team * n.team / 32;
#pragma unroll
    for (int c = 0; c < kCount; ++c)
      if (threadIdx.x % 32 == 0) parts[turn][c][threadIdx.x / 32] = x[c];
    __syncthreads();
#pragma unroll
    for (int c = 0; c < kCount; ++c) {
      x[c] = 0;
      for (int warp = first; warp < first + n.team / 32; ++warp) x[c] += parts[turn][c][warp];
    }
    turn ^= 1;
  }
};

template <class X, class Y, int kUnit>
__device__ void norm_forward(const NormCuda& n) {
  using Rows = NormRows<kUnit>;
  __shared__ float parts[2][2][32];
  __shared__ NormColumns biases;
  Rows rows(n, parts);
  typename Rows::Row weight;
  rows.of_columns(n.bias, 0, weight);
  rows.keep(weight, biases);
  rows.of_columns(n.weight, 1, weight);
  const float share = 1.0f / static_cast<float>(n.d);
  for (; rows.more(); rows.next()) {
    typename Rows::Row s;
    rows.read(static_cast<const X*>(n.x), s);
    if (n.residual != nullptr) {
      typename Rows::Row residual;
      rows.read(n.residual, residual);
#pragma unroll
      for (int u = 0; u < Rows::kUnits; ++u)
#pragma unroll
        for (int j = 0; j < kUnit; ++j) s[u][j] += residual[u][j];
      rows.write(s, n.sum);
    }
    float mean[1] = {0}, squares[1] = {0};
    if (n.centered) {
#pragma unroll
      for (int u = 0; u < Rows::kUnits; ++u)
#pragma unroll
        for (int j = 0; j < kUnit; ++j) mean[0] += s[u][j];
      rows.sum(mean);
      mean[0] *= share;
    }
#pragma unroll
    for (int u = 0; u < Rows::kUnits; ++u)
#pragma unroll
      for (int j = 0; j < kUnit; ++j) {
        s[u][j] = rows.has(u) ? s[u][j] - mean[0] : 0.0f;
        squares[0] = fmaf(s[u][j], s[u][j], squares[0]);
      }
    rows.sum(squares);
    const float scale = 1.0f / sqrtf(squares[0] * share + n.eps);
#pragma unroll
    for (int u = 0; u < Rows::kUnits; ++u)
#pragma unroll
      for (int j = 0; j < kUnit; ++j)
        s[u][j] = fmaf(s[u][j] * scale, weight[u][j], biases[u * kUnit + j][threadIdx.x]);
    rows.write(s, static_cast<Y*>(n.y));
    if (rows.lane == 0 && rows.row < n.rows) {
      if (n.centered) n.mean[rows.row] = mean[0];
      n.scale[rows.row] = scale;
    }
  }
}

// Adds the columns' sums of the teams of a block.
template <int kUnit>
__device__ void norm_columns(const NormRows<kUnit>& rows, const typename NormRows<kUnit>::Row& x,
                             NormColumns& shared, float* to) {
  __syncthreads();  // what was there before has been read
#pragma unroll
  for (int u = 0; u < rows.kUnits; ++u)
#pragma unroll
    for (int j = 0; j < kUnit; ++j) shared[u * kUnit + j][threadIdx.x] = x[u][j];
  __syncthreads();
  const int size = rows.n.team;
  for (int c = threadIdx.x; c < rows.n.d; c += kNormThreads) {
    const int unit = c / kUnit, first = unit % size;
    const float(&from)[kNormStride] = shared[unit / size * kUnit + c % kUnit];
    float sum = 0;
    for (int at = first; at < kNormThreads; at += size) sum += from[at];
    to[c] = sum;
  }
}

// With xhat = (s - mean) * scale and g = d_y * weight:
//   d_s = d_sum + scale * (g - mean of g - xhat * mean of g xhat); not centered: no mean of g.
template <class X, class Y, int kUnit>
__device__ void norm_backward(const NormCuda& n) {
  using Rows = NormRows<kUnit>;
  __shared__ float parts[2][2][32];
  __shared__ NormColumns columns;  // weights, in the end sums
  Rows rows(n, parts);
  typename Rows::Row d_weight, d_bias;
  rows.of_columns(n.weight, 1, d_weight);
  rows.keep(d_weight, columns);
  rows.of_columns(nullptr, 0, d_weight);
  rows.of_columns(nullptr, 0, d_bias);
  const float share = 1.0f / static_cast<float>(n.d);
  for (; rows.more(); rows.next()) {
    const bool there = rows.row < n.rows;
    typename Rows::Row s, g, d;
    if (n.sum != nullptr)
      rows.read(static_cast<const float*>(n.sum), s);
    else
      rows.read(static_cast<const X*>(n.x), s);
    rows.read(static_cast<const Y*>(n.d_y), g);
    if (n.d_sum != nullptr)
      rows.read(n.d_sum, d);
    else
      rows.of_columns(nullptr, 0, d);
    const float mean = there && n.centered ? n.mean[rows.row] : 0.0f;
    const float scale = there ? n.scale[rows.row] : 0.0f;
    float sums[2] = {0, 0};
#pragma unroll
    for (int u = 0; u < Rows::kUnits; ++u)
#pragma unroll
      for (int j = 0; j < kUnit; ++j) {
        s[u][j] = (s[u][j] - mean) * scale;
        d_weight[u][j] = fmaf(g[u][j], s[u][j], d_weight[u][j]);
        d_bias[u][j] += g[u][j];
        g[u][j] *= columns[u * kUnit + j][threadIdx.x];
        sums[0] += g[u][j];
        sums[1] = fmaf(g[u][j], s[u][j], sums[1]);
      }
    rows.sum(sums);
    const float of_mean = n.centered ? sums[0] * share : 0.0f, of_scale = sums[1] * share;
#pragma unroll
    for (int u = 0; u < Rows::kUnits; ++u)
#pragma unroll
      for (int j = 0; j < kUnit; ++j)
        d[u][j] = fmaf(scale, fmaf(-of_scale, s[u][j], g[u][j] - of_mean), d[u][j]);
    if (n.d_residual != nullptr) rows.write(d, n.d_residual);
    if (n.d_x != nullptr) rows.write(d, static_cast<X*>(n.d_x));
  }
  if (n.partial == nullptr) return;
  float* const to = n.partial + 2ll * blockIdx.x * n.d;
  norm_columns(rows, d_weight, columns, to);
  norm_columns(rows, d_bias, columns, to + n.d);
}

// Adds the columns' sums of all blocks, in a fixed order.
__device__ inline void norm_sum(const NormSumCuda& n) {
  __shared__ float parts[kNormSumThreads][kNormSumThreads];
  const int column = blockIdx.x * kNormSumThreads + threadIdx.x;
  float sum = 0;
  if (column < 2 * n.d)
    for (int block = threadIdx.y; block < n.blocks; block += kNormSumThreads)
      sum += n.partial[2ll * block * n.d + column];
  parts[threadIdx.y][threadIdx.x] = sum;
  __syncthreads();
  if (threadIdx.y != 0 || column >= 2 * n.d) return;
  for (int other = 1; other < kNormSumThreads; ++other) sum += parts[other][threadIdx.x];
  float* const to = column < n.d ? n.d_weight : n.d_bias;
  if (to != nullptr) to[column < n.d ? column : column - n.d] = sum;
}

}  // namespace lcsm

#define LCSM_NORM_KERNEL(way, blocks, name, X, Y, unit)                            \
  extern "C" __global__ void __launch_bounds__(lcsm::kNormThreads, blocks)         \
      norm_##way##_##name##_##unit(const __grid_constant__ lcsm::NormCuda given) { \
    lcsm::norm_##way<X, Y, unit>(given);                                           \
  }
// One kernel for rows of 4 n numbers that begin at multiples of 4 numbers, and one for any rows.
#define LCSM_NORM_KERNELS(name, X, Y)          \
  LCSM_NORM_KERNEL(forward, 3, name, X, Y, 4)  \
  LCSM_NORM_KERNEL(forward, 1, name, X, Y, 1)  \
  LCSM_NORM_KERNEL(backward, 2, name, X, Y, 4) \
  LCSM_NORM_KERNEL(backward, 1, name, X, Y, 1)
#define LCSM_NORM_SUM()                                                                      \
  extern "C" __global__ void __launch_bounds__(lcsm::kNormSumThreads* lcsm::kNormSumThreads) \
      norm_sum(const __grid_constant__ lcsm::NormSumCuda given) {                            \
    lcsm::norm_sum(given);                                                                   \
  }
