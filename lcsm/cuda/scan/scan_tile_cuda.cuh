// What the kernels of the scan share: a block's tile, inputs staged in shared memory, sums.
#pragma once

#include "lcsm/cuda/common/math_cuda.cuh"
#include "lcsm/cuda/common/modes_value_cuda.cuh"
#include "lcsm/cuda/scan/scan_cuda.h"

namespace lcsm {

// Some steps of an input: of rows (kSteps) or of channels (kCells).
using Staged = float[kScanSteps][kScanTile];

// What a gate gives a cell: m_t = o m_{t-1} + e w i, y = s Re(r m_t); w and r where it has them.
template <int kParts>
struct ScanFactors {
  ModeValue<float, kParts> o, w, r;
};

// What pads the last rows and channels.
enum class Padding {
  kZero,  // of what is summed
  kLast,  // the last, of inputs of a gate, which may be undefined at 0
};

// kParts: of a cell of the memory, 1 or 2. kRows: of a thread.
template <class T, int kParts, int kRows>
struct ScanTile {
  static constexpr int kWarps = kScanTile / kRows;
  using Cell = ModeValue<float, kParts>;

  const ScanCuda& s;
  const int lane, warp, b, segment;
  const int first_k, first_d;  // of the tile
  const int row;               // the first of this thread, in the tile
  const int first, last;       // steps

  __device__ explicit ScanTile(const ScanCuda& scan)
      : s(scan),
        lane(threadIdx.x),
        warp(threadIdx.y),
        b(blockIdx.z),
        segment(blockIdx.y),
        first_k(static_cast<int>(blockIdx.x) / channel_tiles(scan) * kScanTile),
        first_d(static_cast<int>(blockIdx.x) % channel_tiles(scan) * kScanTile),
        row(warp * kRows),
        first(segment * scan.segment),
        last(min(scan.T, first + scan.segment)) {}

  __device__ static int channel_tiles(const ScanCuda& s) {
    return (s.D + kScanTile - 1) / kScanTile;
  }
  __device__ static int blocks(const ScanCuda& s) { return (s.T + kScanKept - 1) / kScanKept; }
  __device__ int d() const { return first_d + lane; }
  __device__ int k(int j) const { return first_k + row + j; }
  __device__ bool inside(int j) const { return d() < s.D && k(j) < s.K; }
  __device__ long long cell(int j) const { return static_cast<long long>(k(j)) * s.D + d(); }
  __device__ long long matrix() const { return static_cast<long long>(s.K) * s.D; }
  __device__ long long memory() const { return kParts * matrix(); }

  // This thread's cells of a memory, 0 outside.
  __device__ void load(const float* from, Cell (&m)[kRows]) const {
#pragma unroll
    for (int j = 0; j < kRows; ++j)
#pragma unroll
      for (int p = 0; p < kParts; ++p)
        m[j].x[p] = from && inside(j) ? from[p * matrix() + cell(j)] : 0.0f;
  }
  __device__ void store(float* to, const Cell (&m)[kRows]) const {
#pragma unroll
    for (int j = 0; j < kRows; ++j)
#pragma unroll
      for (int p = 0; p < kParts; ++p)
        if (inside(j)) to[p * matrix() + cell(j)] = m[j].x[p];
  }
  // Of a [K, D] of real numbers.
  __device__ void store(float* to, const float (&x)[kRows]) const {
#pragma unroll
    for (int j = 0; j < kRows; ++j)
      if (inside(j)) to[cell(j)] = x[j];
  }

  // A static input at this thread's cells.
  __device__ void load(const ScanInputCuda& in, Spread spread, Padding padding,
                       float (&x)[kRows]) const {
    const auto* const from = static_cast<const float*>(in.data);
#pragma unroll
    for (int j = 0; j < kRows; ++j) {
      const long long at =
          min(k(j), s.K - 1) * in.k + (spread == Spread::kChannels ? min(d(), s.D - 1) : 0);
      x[j] = padding == Padding::kLast || inside(j) ? from[at] : 0.0f;
    }
  }

  // `count` steps from t on of an input over data.
  template <class Number>
  __device__ void stage(const ScanInputCuda& in, Spread spread, Padding padding, int t, int count,
                        Staged& to) const {
    const bool cells = spread == Spread::kCells;
    const int column = (cells ? first_d : first_k) + lane, most = cells ? s.D : s.K;
    const auto* const from =
        static_cast<const Number*>(in.data) + b * in.b + min(column, most - 1) * (cells ? 1 : in.k);
    const bool padded = padding == Padding::kZero && column >= most;
#pragma unroll
    for (int n = 0; n < kScanSteps / kWarps; ++n) {
      const int step = warp + n * kWarps;
      if (step < count) to[step][lane] = padded ? 0.0f : number_of(from[(t + step) * in.t]);
    }
  }

  // The rows of this thread at a step.
  __device__ void rows(const Staged& from, int step, float (&x)[kRows]) const {
    const auto* const four = reinterpret_cast<const float4*>(&from[step][row]);
#pragma unroll
    for (int n = 0; n < kRows / 4; ++n) {
      const float4 v = four[n];
      x[4 * n] = v.x, x[4 * n + 1] = v.y, x[4 * n + 2] = v.z, x[4 * n + 3] = v.w;
    }
  }

  // Into copy `copy` of [copies, B, T, width].
  template <class Number>
  __device__ void put_step(const ScanOutputCuda& out, int copy, int t, int column, int width,
                           float value) const {
    if (column >= width) return;
    const long long at = ((static_cast<long long>(copy) * s.B + b) * s.T + t) * width + column;
    if (out.final)
      put(static_cast<Number*>(out.data) + at, value);
    else
      static_cast<float*>(out.data)[at] = value;
  }
};

// Of each warp, a sum over its rows for each channel.
template <int kWarps>
using OfWarps = float[kWarps][kScanTile];

// The sums over the tile's rows, of `count` steps from t on; sums(step): those of the warps.
template <class Number, class Tile, class Sums>
__device__ void put_channels(const Tile& tile, const Sums& sums, int t, int count,
                             const ScanOutputCuda& out) {
  for (int step = tile.warp; step < count; step += Tile::kWarps) {
    float sum = 0;
#pragma unroll
    for (int w = 0; w < Tile::kWarps; ++w) sum += sums(step)[w][tile.lane];
    tile.template put_step<Number>(out, tile.first_k / kScanTile, t + step, tile.d(), tile.s.D,
                                   sum);
  }
}
// The sums over its channels, one for each row.
template <class Number, class Tile>
__device__ void put_rows(const Tile& tile, const Staged& sums, int t, int count,
                         const ScanOutputCuda& out) {
  for (int step = tile.warp; step < count; step += Tile::kWarps)
    tile.template put_step<Number>(out, tile.first_d / kScanTile, t + step,
                                   tile.first_k + tile.lane, tile.s.K, sums[step][tile.lane]);
}

// The sums of x over the lanes, in 9 shuffles of 8 rows: as many lanes as there are rows have one
// each, lane j kScanTile / kRows that of x[j].
template <int kRows>
__device__ float sum_of_lanes(float (&x)[kRows], int lane) {
#pragma unroll
  for (int rows = kRows / 2, bit = 16; rows > 0; rows /= 2, bit /= 2) {
    const bool upper = (lane & bit) != 0;
#pragma unroll
    for (int j = 0; j < kRows / 2; ++j) {
      if (j >= rows) continue;
      const float given = upper ? x[j] : x[j + rows], own = upper ? x[j + rows] : x[j];
      x[j] = own + __shfl_xor_sync(~0u, given, bit);
    }
  }
#pragma unroll
  for (int bit = kScanTile / kRows / 2; bit > 0; bit /= 2) x[0] += __shfl_xor_sync(~0u, x[0], bit);
  return x[0];
}
template <int kRows>
__device__ void put_sum_of_lanes(float (&x)[kRows], int lane, float* rows) {
  const float sum = sum_of_lanes(x, lane);
  constexpr int kSharing = kScanTile / kRows;
  if (lane % kSharing == 0) rows[lane / kSharing] = sum;
}

}  // namespace lcsm
