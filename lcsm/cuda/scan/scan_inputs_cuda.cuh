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

// Calls each(leaf) for the first kCount leaves; leaf.n is a constant.
template <int kN>
struct LeafNumber {
  static constexpr int n = kN;
};
template <int kCount, class Each>
__device__ __forceinline__ void each_leaf(const Each& each) {
  if constexpr (kCount > 0) {
    each_leaf<kCount - 1>(each);
    each(LeafNumber<kCount - 1>{});
  }
}

// kE, kS: what e and s are. Gate is what tape_source printed.
template <class Gate, class T, StageKind kE, StageKind kS>
struct ScanInputs {
  static constexpr int kLeaves = Gate::kLeaves;
  using Tile = ScanTile<T, Gate::kParts>;
  using Cell = typename Tile::Cell;
  using Factors = typename Gate::Factors;
  using Leaf = typename ScanLeaf<Gate::kExact, T>::Type;

  // How many of the first n leaves have this spread: the place of leaf n among those that do.
  __host__ __device__ static constexpr int of(Spread spread, int n) {
    int count = 0;
    for (int k = 0; k < n; ++k) count += Gate::spread(k) == spread;
    return count;
  }
  static constexpr int kOfRows = of(Spread::kSteps, kLeaves),
                       kOfChannels = of(Spread::kCells, kLeaves);
  __host__ __device__ static constexpr bool over_time(int n) {
    return Gate::spread(n) == Spread::kSteps || Gate::spread(n) == Spread::kCells;
  }

  // The place of each input in shared memory.
  enum Slot { kI, kStageE, kStageS, kDy, kLeaf, kSlots = kLeaf + kOfRows + kOfChannels };
  __host__ __device__ static constexpr int slot(int n) {
    return kLeaf + of(Spread::kSteps, n) + of(Spread::kCells, n);
  }
  // True if registers hold the inputs of a chunk while the one before it is computed.
  static constexpr bool kAhead = kSlots <= 8;

  float e[kScanCells], s[kScanCells], x[kLeaves + 1][kScanCells];  // over data: of rows or columns
  float i[kScanColumns], d_y[kScanColumns];
  // This thread's numbers of the inputs over time in the next chunk, and where it reads them.
  T coming[kLeaf][kScanFetched];
  Leaf coming_leaves[kOfRows + kOfChannels + 1][kScanFetched];
  const T* from[kLeaf];
  const Leaf* from_leaves[kOfRows + kOfChannels + 1];

  // Reads the static inputs.
  __device__ __forceinline__ void load(const Tile& tile) {
    const ScanCuda& scan = tile.s;
    if (kE == StageKind::kStatic) tile.load(scan.e, Spread::kChannels, Padding::kZero, e);
    if (kS == StageKind::kStatic) tile.load(scan.s, Spread::kChannels, Padding::kZero, s);
    if (kS == StageKind::kNone)  // rows that only pad are not read
#pragma unroll
      for (int j = 0; j < kScanCells; ++j) s[j] = tile.k(j) < scan.K ? 1.0f : 0.0f;
    each_leaf<kLeaves>([&](auto leaf) {
      constexpr int n = leaf.n;
      if (!over_time(n)) tile.load(scan.leaves[n], Gate::spread(n), Padding::kLast, x[n]);
    });
  }

  // Calls visit(input, spread, padding, from, coming) for each input over time; kGradient: d_y too.
  template <bool kGradient, class Visit>
  __device__ __forceinline__ void each_over_time(const ScanCuda& scan, const Visit& visit) {
    const auto given = [&](const ScanInputCuda& in, Spread spread, Slot n) {
      visit(in, spread, Padding::kZero, from[n], coming[n]);
    };
    given(scan.i, Spread::kCells, kI);
    if (kE == StageKind::kData) given(scan.e, Spread::kSteps, kStageE);
    if (kS == StageKind::kData) given(scan.s, Spread::kSteps, kStageS);
    if (kGradient) given(scan.d_y, Spread::kCells, kDy);
    each_leaf<kLeaves>([&](auto leaf) {
      constexpr int n = leaf.n, at = slot(n) - kLeaf;
      if constexpr (over_time(n))
        visit(scan.leaves[n], Gate::spread(n), Padding::kLast, from_leaves[at], coming_leaves[at]);
    });
  }
  // Sets where the chunk from step t on is read. Each fetch() moves on to the next chunk, with
  // gradients to the one before.
  template <bool kGradient>
  __device__ __forceinline__ void find(const Tile& tile, int t) {
    each_over_time<kGradient>(tile.s, [&](const ScanInputCuda& in, Spread spread, Padding, auto& at,
                                          auto&) { tile.find(in, spread, t, at); });
  }
  template <bool kGradient>
  __device__ __forceinline__ void fetch(const Tile& tile, int t) {
    const int there = tile.count(t) - tile.warp;
    each_over_time<kGradient>(
        tile.s, [&](const ScanInputCuda& in, Spread spread, Padding padding, auto& at, auto& x) {
          tile.fetch(at, in.t, padding == Padding::kZero && tile.pads(spread) ? 0 : there, x);
          at += (kGradient ? -kScanSteps : kScanSteps) * in.t;
        });
  }
  // Writes them to shared memory.
  template <bool kGradient>
  __device__ __forceinline__ void put_staged(const Tile& tile, Staged* to) const {
    tile.put_staged(coming[kI], to[kI]);
    if (kE == StageKind::kData) tile.put_staged(coming[kStageE], to[kStageE]);
    if (kS == StageKind::kData) tile.put_staged(coming[kStageS], to[kStageS]);
    if (kGradient) tile.put_staged(coming[kDy], to[kDy]);
#pragma unroll
    for (int n = 0; n < kOfRows + kOfChannels; ++n)
      tile.put_staged(coming_leaves[n], to[kLeaf + n]);
  }
  // Stages the chunk from t on, after begin() or ahead() of it.
  template <bool kGradient>
  __device__ __forceinline__ void stage(const Tile& tile, int t, Staged* to) {
    if (!kAhead) {
      find<kGradient>(tile, t);
      fetch<kGradient>(tile, t);
    }
    put_staged<kGradient>(tile, to);
    __syncthreads();
  }
  template <bool kGradient>
  __device__ __forceinline__ void begin(const Tile& tile, int t) {
    if (!kAhead) return;
    find<kGradient>(tile, t);
    fetch<kGradient>(tile, t);
  }
  template <bool kGradient>
  __device__ __forceinline__ void ahead(const Tile& tile, int t) {
    if (kAhead) fetch<kGradient>(tile, t);
  }

  // Reads the inputs of a step from shared memory.
  template <bool kGradient>
  __device__ __forceinline__ void take(const Tile& tile, const Staged* from, int step) {
    tile.columns(from[kI], step, i);
    if (kE == StageKind::kData) tile.rows(from[kStageE], step, e);
    if (kS == StageKind::kData) tile.rows(from[kStageS], step, s);
    if (kGradient) tile.columns(from[kDy], step, d_y);
    each_leaf<kLeaves>([&](auto leaf) {
      constexpr int n = leaf.n;
      if constexpr (Gate::spread(n) == Spread::kSteps) tile.rows(from[slot(n)], step, x[n]);
      if constexpr (Gate::spread(n) == Spread::kCells) tile.columns(from[slot(n)], step, x[n]);
    });
  }

  // The inputs of cell j.
  __device__ float e_of(int j) const { return e[kE == StageKind::kData ? Tile::row_of(j) : j]; }
  __device__ float s_of(int j) const { return s[kS == StageKind::kData ? Tile::row_of(j) : j]; }
  __device__ float i_of(int j) const { return i[Tile::column_of(j)]; }
  __device__ void leaves(int j, float (&of_cell)[kLeaves + 1]) const {
    each_leaf<kLeaves>([&](auto leaf) { of_cell[leaf.n] = x[leaf.n][place(leaf.n, j)]; });
  }
  // The cell's index in x[n]: leaf n has a number for each row, each column or each cell.
  __host__ __device__ static constexpr int place(int n, int j) {
    return Gate::spread(n) == Spread::kSteps   ? Tile::row_of(j)
           : Gate::spread(n) == Spread::kCells ? Tile::column_of(j)
                                               : j;
  }

  __device__ float entering(int j) const {
    return kE == StageKind::kNone ? i_of(j) : e_of(j) * i_of(j);
  }
  // m_t from m_(t-1), by the factors of a cell.
  __device__ Cell next(int j, const Cell& m, const Factors& by) const {
    const float in = entering(j);
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
    return fmaf(s_of(j), of_cell, sum);
  }
  // The gradient of m_t, of which g comes from later steps.
  __device__ Cell now(int j, const Cell& g, const Factors& by) const {
    const float q = read_gradient(j);
    if constexpr (Gate::kReads) return scaled(q, conjugate(by.r), g);
    Cell sum = g;
    sum.x[0] += q;
    return sum;
  }
  // The gradient of Re(r m).
  __device__ float read_gradient(int j) const { return s_of(j) * d_y[Tile::column_of(j)]; }
};

// Where o does not vary with time, rounding it to float32 causes the same error at each step. To
// correct it, a memory that enters a whole block of kScanBlock steps at t, or a gradient that
// leaves it, is multiplied by 1 + drift.
template <class Gate, class Tile>
__device__ void correct(const Tile& tile, int t, bool is_gradient,
                        typename Tile::Cell (&m)[kScanCells]) {
  if constexpr (Gate::kSteady) {
    if (tile.s.drift == nullptr || t % kScanBlock != 0 || t + kScanBlock > tile.s.T) return;
    typename Tile::Cell drift[kScanCells];
    tile.load(tile.s.drift, drift);
#pragma unroll
    for (int j = 0; j < kScanCells; ++j)
      m[j] = added(is_gradient ? conjugate(drift[j]) : drift[j], m[j], m[j]);
  }
}

}  // namespace lcsm
