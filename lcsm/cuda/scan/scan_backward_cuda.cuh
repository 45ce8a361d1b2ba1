// Backward, in chunks, the last first: computes a chunk again from the memory that forward kept
// before it, then carries the gradient of m back through it. Where shared memory has room for the
// gates of a chunk, none is computed on the way back.
#pragma once

#include "lcsm/cuda/scan/scan_inputs_cuda.cuh"

namespace lcsm {

// The gates of a chunk where they are stored, else sums over channels, of e and the leaves over
// rows.
template <class Cells, bool kStores, int kCount>
struct ScanSpace {
  OfWarps sums[kCount][kScanSteps];
};
template <class Cells, int kCount>
struct ScanSpace<Cells, true, kCount> {
  Cells gates[kScanSteps];
};

template <class Gate, class T, StageKind kE, StageKind kS>
struct ScanBackward {
  using Inputs = ScanInputs<Gate, T, kE, kS>;
  using Cell = typename Inputs::Cell;
  using Factors = typename Inputs::Factors;
  static constexpr int kLeaves = Gate::kLeaves, kOfRows = Inputs::kOfRows,
                       kOfChannels = Inputs::kOfChannels;
  static constexpr bool kStores = scan_stores_gates(kOfRows, Gate::kParts, Gate::kReads);
  // A thread's own numbers in shared memory: neighbouring threads' fours beside each other.
  using Cells = float4[Gate::kParts][kScanCells / 4][kScanWarps][32];

  struct Shared : ScanSpace<Cells, kStores, 1 + kOfRows> {
    alignas(16) Staged staged[Inputs::kSlots];
    Cells before[kScanSteps];  // m before each step; where gates are stored the factor from the
                               // gradient of m_t to the gradient of o, or log o
    OfWarps d_s[kScanSteps];
    Staged d_channels[1 + kOfChannels];  // of i and the leaves over channels
  };

  const ScanCuda& scan;
  const typename Inputs::Tile tile;
  Shared& shared;
  Inputs in;
  Cell g[kScanCells];                                // the gradient of m
  float d_e[kScanCells] = {}, d_s[kScanCells] = {};  // of static e and s
  float d_leaves[kLeaves + 1][kScanCells] = {};      // of static leaves, or of a step's leaves

  __device__ ScanBackward(const ScanCuda& s, Shared& memory) : scan(s), tile(s), shared(memory) {}

  __device__ void run() {
    const int segments = static_cast<int>(gridDim.y);
    in.load(tile);
    tile.load(
        scan.starts ? scan.starts + (tile.b * segments + tile.segment) * tile.memory() : nullptr,
        g);
    int t = tile.first + (tile.last - 1 - tile.first) / kScanSteps * kScanSteps;
    in.template begin<true>(tile, t);
    for (; t >= tile.first; t -= kScanSteps) {
      Cell m[kScanCells];
      tile.load_kept(t, m);
      in.template stage<true>(tile, t, shared.staged);
      in.template ahead<true>(tile, t - kScanSteps);
      const int count = tile.count(t);
      for (int step = 0; step < count; ++step) read(step, m);
      for (int step = count - 1; step >= 0; --step) back(step);
      __syncthreads();
      store(t, count);
      correct<Gate>(tile, t, true, g);
    }
    if (tile.first == 0) tile.store(scan.memory + tile.b * tile.memory(), g);
    store_static(segments);
  }

 private:
  __device__ void own(const Cells& cells, Cell (&m)[kScanCells]) const {
#pragma unroll
    for (int p = 0; p < Gate::kParts; ++p)
#pragma unroll
      for (int n = 0; n < kScanCells; n += 4) {
        const float4 four = cells[p][n / 4][tile.warp][tile.lane];
        m[n].x[p] = four.x, m[n + 1].x[p] = four.y;
        m[n + 2].x[p] = four.z, m[n + 3].x[p] = four.w;
      }
  }
  __device__ void keep(Cells& cells, const Cell (&m)[kScanCells]) const {
#pragma unroll
    for (int p = 0; p < Gate::kParts; ++p)
#pragma unroll
      for (int n = 0; n < kScanCells; n += 4)
        cells[p][n / 4][tile.warp][tile.lane] = {m[n].x[p], m[n + 1].x[p], m[n + 2].x[p],
                                                 m[n + 3].x[p]};
  }

  // A step forward: the gradient of s, and what the step leaves for the way back.
  __device__ __forceinline__ void read(int step, Cell (&m)[kScanCells]) {
    in.template take<true>(tile, shared.staged, step);
    if constexpr (!kStores) keep(shared.before[step], m);
    Cell gates[kScanCells], before[kScanCells];
    float by_row[kScanRows] = {};
#pragma unroll
    for (int j = 0; j < kScanCells; ++j) {
      Factors by;
      if constexpr (kStores) {
        float x[kLeaves + 1], d[kLeaves + 1] = {};
        in.leaves(j, x);
        Gate::gradient(
            x,
            [&](const Factors& of, float slope, Factors&) {
              by = of;
              gates[j] = of.o;
              before[j] = Gate::kByLog ? scaled(slope, product(of.o, m[j]), Cell{}) : m[j];
            },
            d);
        m[j] = in.next(j, m[j], by);
      } else {
        m[j] = in.next(j, m[j], &by);
      }
      const float of_cell = Gate::kReads ? real_added(by.r, m[j], 0.0f) : m[j].x[0],
                  d_y = in.d_y[tile.column_of(j)];
      if (kS == StageKind::kStatic) d_s[j] = fmaf(of_cell, d_y, d_s[j]);
      float& sum = by_row[tile.row_of(j)];
      if (kS == StageKind::kData) sum = fmaf(of_cell, d_y, sum);
    }
    if constexpr (kStores) {
      keep(shared.gates[step], gates);
      keep(shared.before[step], before);
    }
    if (kS == StageKind::kData) put_sums_of_rows(by_row, tile.lane, shared.d_s[step][tile.warp]);
  }

  // A step back: all other gradients.
  __device__ __forceinline__ void back(int step) {
    in.template take<true>(tile, shared.staged, step);
    Cell before[kScanCells], gates[kScanCells];
    own(shared.before[step], before);
    if constexpr (kStores) own(shared.gates[step], gates);
    float d_i[kScanColumns] = {}, e_by_row[kScanRows] = {};
    each_leaf<kLeaves>([&](auto leaf) {
#pragma unroll
      for (int j = 0; j < kScanCells; ++j)
        if (Inputs::over_time(leaf.n)) d_leaves[leaf.n][j] = 0;
    });
#pragma unroll
    for (int j = 0; j < kScanCells; ++j) {
      float x[kLeaves + 1], d[kLeaves + 1], d_in;
      in.leaves(j, x);
      each_leaf<kLeaves>(
          [&](auto leaf) { d[leaf.n] = d_leaves[leaf.n][Inputs::place(leaf.n, j)]; });
      const Cell m = before[j];
      Gate::gradient(
          x,
          [&](const Factors& by, float slope, Factors& d_by) {
            if constexpr (kStores) {
              const float now = in.now(j, g[j], by).x[0];
              d_in = Gate::kWrites ? by.w.x[0] * now : now;
              d_by.o.x[0] = now * m.x[0];
              if constexpr (Gate::kWrites) d_by.w.x[0] = in.entering(j) * now;
              g[j].x[0] = now * gates[j].x[0];
            } else {
              const Cell now = in.now(j, g[j], by);
              d_in = Gate::kWrites ? real_added(conjugate(by.w), now, 0.0f) : now.x[0];
              d_by.o = product(
                  now, conjugate(Gate::kByLog ? scaled(slope, product(by.o, m), Cell{}) : m));
              if constexpr (Gate::kWrites) d_by.w = scaled(in.entering(j), now, Cell{});
              if constexpr (Gate::kReads)
                d_by.r = scaled(in.read_gradient(j), conjugate(in.next(j, m, by)), Cell{});
              g[j] = product(now, conjugate(by.o));
            }
          },
          d);
      each_leaf<kLeaves>(
          [&](auto leaf) { d_leaves[leaf.n][Inputs::place(leaf.n, j)] = d[leaf.n]; });
      float &of_channel = d_i[tile.column_of(j)], &of_row = e_by_row[tile.row_of(j)];
      of_channel = kE == StageKind::kNone ? of_channel + d_in : fmaf(d_in, in.e_of(j), of_channel);
      if (kE == StageKind::kStatic) d_e[j] = fmaf(d_in, in.i_of(j), d_e[j]);
      if (kE == StageKind::kData) of_row = fmaf(d_in, in.i_of(j), of_row);
    }
    put(step, d_i, e_by_row);
  }

  // A warp's sums over channels for the gradients of e (n = 0) and of leaves over rows (n > 0).
  // Where gates are stored, they take the place of what this warp has read.
  __device__ float* sums_of_rows(int n, int step, int warp) const {
    if constexpr (kStores)
      return reinterpret_cast<float*>(shared.before[step][0][n / 4][warp]) + n % 4 * kScanTile;
    else
      return shared.sums[n][step][warp];
  }

  // The sums of a step that this warp knows.
  __device__ __forceinline__ void put(int step, float (&d_i)[kScanColumns],
                                      float (&e_by_row)[kScanRows]) {
    if (kStores) __syncwarp();
    put_sums_of_columns(d_i, tile.lane, tile.warp, shared.d_channels[0][step]);
    if (kE == StageKind::kData)
      put_sums_of_rows(e_by_row, tile.lane, sums_of_rows(0, step, tile.warp));
    each_leaf<kLeaves>([&](auto leaf) {
      constexpr int n = leaf.n, like = 1 + Inputs::of(Gate::spread(n), n);
      if constexpr (Gate::spread(n) == Spread::kSteps)
        put_sums_of_rows(d_leaves[n], tile.lane, sums_of_rows(like, step, tile.warp));
      if constexpr (Gate::spread(n) == Spread::kCells)
        put_sums_of_columns(d_leaves[n], tile.lane, tile.warp, shared.d_channels[like][step]);
    });
  }

  __device__ __forceinline__ void store(int t, int count) {
    using Leaf = typename Inputs::Leaf;
    const auto sums = [&](int n) {
      return [this, n](int step, int warp) { return sums_of_rows(n, step, warp); };
    };
    tile.template put_channels<T>(shared.d_channels[0], t, count, scan.d_i);
    if (kE == StageKind::kData) tile.template put_rows<T>(sums(0), t, count, scan.d_e);
    if (kS == StageKind::kData)
      tile.template put_rows<T>([this](int step, int warp) { return shared.d_s[step][warp]; }, t,
                                count, scan.d_s);
    each_leaf<kLeaves>([&](auto leaf) {
      constexpr int n = leaf.n, like = 1 + Inputs::of(Gate::spread(n), n);
      if (scan.d_leaves[n].data == nullptr) return;
      if constexpr (Gate::spread(n) == Spread::kSteps)
        tile.template put_rows<Leaf>(sums(like), t, count, scan.d_leaves[n]);
      if constexpr (Gate::spread(n) == Spread::kCells)
        tile.template put_channels<Leaf>(shared.d_channels[like], t, count, scan.d_leaves[n]);
    });
  }

  __device__ __forceinline__ void store_static(int segments) {
    const long long at = (static_cast<long long>(tile.b) * segments + tile.segment) * tile.matrix();
    const auto to = [&](const ScanOutputCuda& out) { return static_cast<float*>(out.data) + at; };
    if (kE == StageKind::kStatic) tile.store(to(scan.d_e), d_e);
    if (kS == StageKind::kStatic) tile.store(to(scan.d_s), d_s);
    each_leaf<kLeaves>([&](auto leaf) {
      constexpr int n = leaf.n;
      if (!Inputs::over_time(n) && scan.d_leaves[n].data)
        tile.store(to(scan.d_leaves[n]), d_leaves[n]);
    });
  }
};

template <class Gate, class T, StageKind kE, StageKind kS>
__device__ void scan_backward(const ScanCuda& scan) {
  using Backward = ScanBackward<Gate, T, kE, kS>;
  static_assert(sizeof(typename Backward::Shared) ==
                scan_backward_bytes(Backward::kOfRows, Backward::kOfChannels, Gate::kParts,
                                    Backward::kStores));
  extern __shared__ float4 scan_shared[];
  Backward(scan, *reinterpret_cast<typename Backward::Shared*>(scan_shared)).run();
}

}  // namespace lcsm
