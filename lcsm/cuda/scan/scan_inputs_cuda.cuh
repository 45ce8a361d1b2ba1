// The inputs of the scan at a thread's cells: what varies over time is staged, the rest stays in
// registers.
#pragma once

#include "lcsm/cuda/scan/scan_tile_cuda.cuh"

namespace lcsm {

// The type of leaves over data.
template <bool kExact, class T>
struct ScanLeaf {
  using Type = T;
};
template <class T>
struct ScanLeaf<true, T> {
  using Type = float;
};

// kE, kS: what e and s are. Gate is what tape_source printed.
template <class Gate, class T, StageKind kE, StageKind kS, int kRows>
struct ScanInputs {
  static constexpr int kLeaves = Gate::kLeaves;
  using Tile = ScanTile<T, Gate::kParts, kRows>;
  using Cell = typename Tile::Cell;
  using Factors = typename Gate::Factors;
  using Leaf = typename ScanLeaf<Gate::kExact, T>::Type;
  enum Slot { kI, kStageE, kStageS, kDy, kLeaf, kSlots = kLeaf + kLeaves };

  float e[kRows], s[kRows], x[kLeaves + 1][kRows];
  float i, d_y;

  __device__ static constexpr bool over_time(int n) {
    return Gate::spread(n) == Spread::kSteps || Gate::spread(n) == Spread::kCells;
  }

  // What is static.
  __device__ void load(const Tile& tile) {
    const ScanCuda& scan = tile.s;
    if (kE == StageKind::kStatic) tile.load(scan.e, Spread::kChannels, Padding::kZero, e);
    if (kS == StageKind::kStatic) tile.load(scan.s, Spread::kChannels, Padding::kZero, s);
    if (kS == StageKind::kNone)  // rows that only pad are not read
#pragma unroll
      for (int j = 0; j < kRows; ++j) s[j] = tile.k(j) < scan.K ? 1.0f : 0.0f;
#pragma unroll
    for (int n = 0; n < kLeaves; ++n)
      if (!over_time(n)) tile.load(scan.leaves[n], Gate::spread(n), Padding::kLast, x[n]);
  }

  // What is not, of `count` steps from t on; kReads: s and d_y too.
  template <bool kReads, bool kGradient>
  __device__ static void stage(const Tile& tile, int t, int count, Staged* to) {
    const ScanCuda& scan = tile.s;
    tile.template stage<T>(scan.i, Spread::kCells, Padding::kZero, t, count, to[kI]);
    if (kE == StageKind::kData)
      tile.template stage<T>(scan.e, Spread::kSteps, Padding::kZero, t, count, to[kStageE]);
    if (kReads && kS == StageKind::kData)
      tile.template stage<T>(scan.s, Spread::kSteps, Padding::kZero, t, count, to[kStageS]);
    if (kGradient)
      tile.template stage<T>(scan.d_y, Spread::kCells, Padding::kZero, t, count, to[kDy]);
#pragma unroll
    for (int n = 0; n < kLeaves; ++n)
      if (over_time(n))
        tile.template stage<Leaf>(scan.leaves[n], Gate::spread(n), Padding::kLast, t, count,
                                  to[kLeaf + n]);
  }

  // Those of a step.
  template <bool kReads, bool kGradient>
  __device__ void take(const Tile& tile, const Staged* from, int step) {
    i = from[kI][step][tile.lane];
    if (kE == StageKind::kData) tile.rows(from[kStageE], step, e);
    if (kReads && kS == StageKind::kData) tile.rows(from[kStageS], step, s);
    if (kGradient) d_y = from[kDy][step][tile.lane];
#pragma unroll
    for (int n = 0; n < kLeaves; ++n) {
      if (Gate::spread(n) == Spread::kSteps) tile.rows(from[kLeaf + n], step, x[n]);
      if (Gate::spread(n) != Spread::kCells) continue;
#pragma unroll
      for (int j = 0; j < kRows; ++j) x[n][j] = from[kLeaf + n][step][tile.lane];
    }
  }

  __device__ void leaves(int j, float (&of_cell)[kLeaves + 1]) const {
#pragma unroll
    for (int n = 0; n < kLeaves; ++n) of_cell[n] = x[n][j];
  }

  // m_t from m_(t-1), by the factors of a cell.
  __device__ Cell next(int j, const Cell& m, const Factors& by) const {
    const float in = kE == StageKind::kNone ? i : e[j] * i;
    if constexpr (Gate::kWrites) return added(by.o, m, scaled(in, by.w, Cell{}));
    return added(by.o, m, in);
  }
  // The same, and the factors.
  __device__ Cell next(int j, const Cell& m, Factors* by) const {
    float of_cell[kLeaves + 1];
    leaves(j, of_cell);
    Gate::gate(of_cell, *by);
    return next(j, m, *by);
  }

  // sum + s Re(r m)
  __device__ float read(int j, const Cell& m, const Factors& by, float sum) const {
    const float of_cell = Gate::kReads ? real_added(by.r, m, 0.0f) : m.x[0];
    return fmaf(s[j], of_cell, sum);
  }
  // The gradient of m_t, of which g comes from later steps.
  __device__ Cell now(int j, const Cell& g, const Factors& by) const {
    const float q = read_gradient(j);
    if constexpr (Gate::kReads) return scaled(q, conjugate(by.r), g);
    Cell sum = g;
    sum.x[0] += q;
    return sum;
  }
  // That of Re(r m).
  __device__ float read_gradient(int j) const { return s[j] * d_y; }
};

// Where o does not vary with time, its float32 number is off by the same at each step: a memory
// that enters a whole block of kScanKept steps at t, or a gradient that leaves it, is multiplied by
// 1 + drift.
template <class Gate, class Tile, int kRows>
__device__ void correct(const Tile& tile, int t, bool is_gradient,
                        typename Tile::Cell (&m)[kRows]) {
  if constexpr (Gate::kSteady) {
    if (tile.s.drift == nullptr || t % kScanKept != 0 || t + kScanKept > tile.s.T) return;
    typename Tile::Cell drift[kRows];
    tile.load(tile.s.drift, drift);
#pragma unroll
    for (int j = 0; j < kRows; ++j)
      m[j] = added(is_gradient ? conjugate(drift[j]) : drift[j], m[j], m[j]);
  }
}

}  // namespace lcsm
