// The inputs of the scan at a thread's cells: what varies over time is staged, the rest stays in
// registers.
#pragma once

#include "lcsm/cuda/scan_tile_cuda.cuh"

namespace lcsm {

// kStaticE, kStaticS: e and s are [K, D]. Gate is what tape_source printed.
template <class Gate, class T, bool kStaticE, bool kStaticS>
struct ScanInputs {
  static constexpr int kLeaves = Gate::kLeaves;
  static constexpr bool kHasE = !Gate::kWrites;  // else e is a leaf
  static constexpr bool kStepE = kHasE && !kStaticE;
  enum Slot { kI, kE, kS, kDy, kLeaf, kSlots = kLeaf + kLeaves };

  float e[kScanRows], s[kScanRows], x[kLeaves + 1][kScanRows];
  float i, d_y;

  __device__ static constexpr bool over_time(int n) {
    return Gate::spread(n) == Spread::kSteps || Gate::spread(n) == Spread::kCells;
  }

  // What is static.
  __device__ void load(const ScanTile<T>& tile) {
    const ScanCuda& scan = tile.s;
    if (kHasE && kStaticE) tile.load(scan.e, Spread::kChannels, Padding::kZero, e);
    if (kStaticS) tile.load(scan.s, Spread::kChannels, Padding::kZero, s);
#pragma unroll
    for (int n = 0; n < kLeaves; ++n)
      if (!over_time(n)) tile.load(scan.leaves[n], Gate::spread(n), Padding::kLast, x[n]);
  }

  // What is not, of `count` steps from t on; kReads: s and d_y too.
  template <bool kReads, bool kGradient>
  __device__ static void stage(const ScanTile<T>& tile, int t, int count, Staged* to) {
    const ScanCuda& scan = tile.s;
    tile.stage(scan.i, Spread::kCells, Padding::kZero, t, count, to[kI]);
    if (kStepE) tile.stage(scan.e, Spread::kSteps, Padding::kZero, t, count, to[kE]);
    if (kReads && !kStaticS) tile.stage(scan.s, Spread::kSteps, Padding::kZero, t, count, to[kS]);
    if (kGradient) tile.stage(scan.d_y, Spread::kCells, Padding::kZero, t, count, to[kDy]);
#pragma unroll
    for (int n = 0; n < kLeaves; ++n)
      if (over_time(n))
        tile.stage(scan.leaves[n], Gate::spread(n), Padding::kLast, t, count, to[kLeaf + n]);
  }

  // Those of a step.
  template <bool kReads, bool kGradient>
  __device__ void take(const ScanTile<T>& tile, const Staged* from, int step) {
    i = from[kI][step][tile.lane];
    if (kStepE) tile.rows(from[kE], step, e);
    if (kReads && !kStaticS) tile.rows(from[kS], step, s);
    if (kGradient) d_y = from[kDy][step][tile.lane];
#pragma unroll
    for (int n = 0; n < kLeaves; ++n) {
      if (Gate::spread(n) == Spread::kSteps) tile.rows(from[kLeaf + n], step, x[n]);
      if (Gate::spread(n) != Spread::kCells) continue;
#pragma unroll
      for (int j = 0; j < kScanRows; ++j) x[n][j] = from[kLeaf + n][step][tile.lane];
    }
  }

  __device__ void leaves(int j, float (&of_cell)[kLeaves + 1]) const {
#pragma unroll
    for (int n = 0; n < kLeaves; ++n) of_cell[n] = x[n][j];
  }

  // m_t from m_(t-1), and o.
  __device__ float next(int j, float m, float* o) const {
    float of_cell[kLeaves + 1], w;
    leaves(j, of_cell);
    Gate::gate(of_cell, *o, w);
    return fmaf(*o, m, (kHasE ? e[j] : w) * i);
  }
};

}  // namespace lcsm
