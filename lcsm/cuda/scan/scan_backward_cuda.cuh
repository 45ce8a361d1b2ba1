// Backward, in blocks of the steps between kept memories, the last first: recomputes a block, then
// carries the gradient of m back through it. Where shared memory has room for the gates of a chunk,
// none is computed on the way back.
#pragma once

#include "lcsm/cuda/scan/scan_inputs_cuda.cuh"

namespace lcsm {

// The gates of a chunk where they are stored, else sums over rows, of i and the leaves over
// channels.
template <class Cells, bool kStores, int kCount>
struct ScanSpace {
  OfWarps<scan_backward_warps(false)> sums[kCount][kScanSteps];
};
template <class Cells, int kCount>
struct ScanSpace<Cells, true, kCount> {
  Cells gates[kScanSteps];
};

template <class Gate, class T, StageKind kE, StageKind kS>
struct ScanBackward {
  static constexpr int kLeaves = Gate::kLeaves;

  // How many of the first n leaves are of a spread: the place of leaf n among its like.
  __host__ __device__ static constexpr int of(Spread spread, int n) {
    int count = 0;
    for (int k = 0; k < n; ++k) count += Gate::spread(k) == spread;
    return count;
  }
  static constexpr int kOfRows = of(Spread::kSteps, kLeaves);
  static constexpr int kOfChannels = of(Spread::kCells, kLeaves);
  static constexpr bool kStores =
      scan_stores_gates(kLeaves, kOfRows, kOfChannels, Gate::kParts, Gate::kReads);
  static constexpr int kWarps = scan_backward_warps(kStores), kRows = kScanTile / kWarps;

  using Inputs = ScanInputs<Gate, T, kE, kS, kRows>;
  using Cell = typename Inputs::Cell;
  using Factors = typename Inputs::Factors;
  using Sums = OfWarps<kWarps>;
  // A thread's own numbers in shared memory: neighbouring lanes beside each other.
  using Cells = float[Gate::kParts][kRows][kWarps][kScanTile];

  struct Shared : ScanSpace<Cells, kStores, 1 + kOfChannels> {
    alignas(16) Staged staged[Inputs::kSlots];
    Cells chunks[kScanChunks];   // m before each chunk of the block
    Cells before[kScanSteps];    // m before each step of the chunk; of stored gates what
                                 // the gradient of m_t becomes that of o, or log o, by
    Staged d_rows[2 + kOfRows];  // of e, s and the leaves over rows
  };

  const ScanCuda& scan;
  const typename Inputs::Tile tile;
  Shared& shared;
  Inputs in;
  Cell g[kRows];                            // the gradient of m
  float d_e[kRows] = {}, d_s[kRows] = {};   // of static e and s
  float d_static[kLeaves + 1][kRows] = {};  // of static leaves

  __device__ ScanBackward(const ScanCuda& s, Shared& memory) : scan(s), tile(s), shared(memory) {}

  __device__ void run() {
    const int segments = static_cast<int>(gridDim.y);
    in.load(tile);
    tile.load(
        scan.starts ? scan.starts + (tile.b * segments + tile.segment) * tile.memory() : nullptr,
        g);
    const int blocks = (tile.last - tile.first + kScanKept - 1) / kScanKept;
    for (int block = blocks - 1; block >= 0; --block) {
      const int t = tile.first + block * kScanKept;
      const int steps = min(kScanKept, tile.last - t),
                chunks = (steps + kScanSteps - 1) / kScanSteps;
      recompute(t, chunks);
      for (int chunk = chunks - 1; chunk >= 0; --chunk)
        reverse(chunk, t + chunk * kScanSteps, min(kScanSteps, steps - chunk * kScanSteps));
      correct<Gate>(tile, t, true, g);
    }
    if (tile.first == 0) tile.store(scan.memory + tile.b * tile.memory(), g);
    store_static(segments);
  }

 private:
  __device__ Cell own(const Cells& cells, int j) const {
    Cell m;
#pragma unroll
    for (int p = 0; p < Gate::kParts; ++p) m.x[p] = cells[p][j][tile.warp][tile.lane];
    return m;
  }
  __device__ void keep(Cells& cells, int j, const Cell& m) const {
#pragma unroll
    for (int p = 0; p < Gate::kParts; ++p) cells[p][j][tile.warp][tile.lane] = m.x[p];
  }

  // The memories before the chunks of a block.
  __device__ void recompute(int t, int chunks) {
    Cell m[kRows];
    tile.load(scan.kept + (static_cast<long long>(tile.b) * tile.blocks(scan) + t / kScanKept) *
                              tile.memory(),
              m);
    for (int chunk = 0; chunk < chunks; ++chunk, t += kScanSteps) {
#pragma unroll
      for (int j = 0; j < kRows; ++j) keep(shared.chunks[chunk], j, m[j]);
      if (chunk == chunks - 1) break;
      __syncthreads();
      in.template stage<false, false>(tile, t, kScanSteps, shared.staged);
      __syncthreads();
      for (int step = 0; step < kScanSteps; ++step) {
        in.template take<false, false>(tile, shared.staged, step);
#pragma unroll
        for (int j = 0; j < kRows; ++j) {
          Factors by;
          m[j] = in.next(j, m[j], &by);
        }
      }
    }
  }

  __device__ void reverse(int chunk, int t, int count) {
    __syncthreads();
    in.template stage<true, true>(tile, t, count, shared.staged);
    __syncthreads();
    read(chunk, count);
    for (int step = count - 1; step >= 0; --step) back(step);
    __syncthreads();
    store(t, count);
  }

  // Recomputes a chunk: the memories before its steps, and the gradient of s.
  __device__ void read(int chunk, int count) {
    Cell m[kRows];
#pragma unroll
    for (int j = 0; j < kRows; ++j) m[j] = own(shared.chunks[chunk], j);
    for (int step = 0; step < count; ++step) {
      in.template take<true, true>(tile, shared.staged, step);
      float by_row[kRows];
#pragma unroll
      for (int j = 0; j < kRows; ++j) {
        Factors by;
        m[j] = stored(step, j, m[j], &by);
        if (kS == StageKind::kNone) continue;
        by_row[j] = (Gate::kReads ? real_added(by.r, m[j], 0.0f) : m[j].x[0]) * in.d_y;
        if (kS == StageKind::kStatic) d_s[j] += by_row[j];
      }
      if (kS == StageKind::kData)
        put_sum_of_lanes(by_row, tile.lane, &shared.d_rows[1][step][tile.row]);
    }
  }

  // The memory after a step, and what the step leaves for the way back.
  __device__ Cell stored(int step, int j, const Cell& m, Factors* by) const {
    if constexpr (kStores) {
      float x[kLeaves + 1], d[kLeaves + 1] = {};
      in.leaves(j, x);
      Gate::gradient(
          x,
          [&](const Factors& of, float slope, Factors&) {
            *by = of;
            keep(shared.before[step], j,
                 Gate::kByLog ? scaled(slope, product(of.o, m), Cell{}) : m);
            keep(shared.gates[step], j, of.o);
          },
          d);
      return in.next(j, m, *by);
    } else {
      keep(shared.before[step], j, m);
      return in.next(j, m, by);
    }
  }

  // One step back: all other gradients.
  __device__ void back(int step) {
    in.template take<true, true>(tile, shared.staged, step);
    float d_i = 0, e_by_row[kRows], x_by_row[kLeaves + 1][kRows];
    float by_channel[kLeaves + 1] = {};
#pragma unroll
    for (int j = 0; j < kRows; ++j) {
      float x[kLeaves + 1], d[kLeaves + 1] = {};
      in.leaves(j, x);
      const Cell m = own(shared.before[step], j);
      Gate::gradient(
          x,
          [&](const Factors& by, float slope, Factors& d_by) {
            if constexpr (kStores) {
              const float now = in.now(j, g[j], by).x[0];
              const float d_in = Gate::kWrites ? by.w.x[0] * now : now;
              d_by.o.x[0] = now * m.x[0];
              if constexpr (Gate::kWrites)
                d_by.w.x[0] = (kE == StageKind::kNone ? in.i : in.e[j] * in.i) * now;
              d_i = kE == StageKind::kNone ? d_i + d_in : fmaf(d_in, in.e[j], d_i);
              e_by_row[j] = d_in * in.i;
              g[j].x[0] = now * own(shared.gates[step], j).x[0];
            } else {
              const Cell now = in.now(j, g[j], by);
              const float d_in = Gate::kWrites ? real_added(conjugate(by.w), now, 0.0f) : now.x[0];
              d_by.o = product(
                  now, conjugate(Gate::kByLog ? scaled(slope, product(by.o, m), Cell{}) : m));
              if constexpr (Gate::kWrites)
                d_by.w = scaled(kE == StageKind::kNone ? in.i : in.e[j] * in.i, now, Cell{});
              if constexpr (Gate::kReads)
                d_by.r = scaled(in.read_gradient(j), conjugate(in.next(j, m, by)), Cell{});
              d_i = kE == StageKind::kNone ? d_i + d_in : fmaf(d_in, in.e[j], d_i);
              e_by_row[j] = d_in * in.i;
              g[j] = product(now, conjugate(by.o));
            }
          },
          d);
      if (kE == StageKind::kStatic) d_e[j] += e_by_row[j];
#pragma unroll
      for (int n = 0; n < kLeaves; ++n) {
        x_by_row[n][j] = d[n];
        by_channel[n] += d[n];
        if (!Inputs::over_time(n)) d_static[n][j] += d[n];
      }
    }
    put(step, d_i, by_channel, e_by_row, x_by_row);
  }

  // Those of i, and of leaves over channels from 1 on. Of stored gates they take the place of what
  // this thread read.
  __device__ Sums& sums_of_rows(int n, int step) const {
    if constexpr (kStores)
      return shared.before[step][0][n];
    else
      return shared.sums[n][step];
  }

  // The sums of a step that this warp knows.
  __device__ void put(int step, float d_i, const float (&by_channel)[kLeaves + 1],
                      float (&e_by_row)[kRows], float (&x_by_row)[kLeaves + 1][kRows]) {
    sums_of_rows(0, step)[tile.warp][tile.lane] = d_i;
    if (kE == StageKind::kData)
      put_sum_of_lanes(e_by_row, tile.lane, &shared.d_rows[0][step][tile.row]);
#pragma unroll
    for (int n = 0; n < kLeaves; ++n) {
      if (Gate::spread(n) == Spread::kSteps)
        put_sum_of_lanes(x_by_row[n], tile.lane,
                         &shared.d_rows[2 + of(Spread::kSteps, n)][step][tile.row]);
      if (Gate::spread(n) == Spread::kCells)
        sums_of_rows(1 + of(Spread::kCells, n), step)[tile.warp][tile.lane] = by_channel[n];
    }
  }

  __device__ void store(int t, int count) {
    const auto sums = [&](int n) {
      return [this, n](int step) -> const Sums& { return sums_of_rows(n, step); };
    };
    put_channels<T>(tile, sums(0), t, count, scan.d_i);
    if (kE == StageKind::kData) put_rows<T>(tile, shared.d_rows[0], t, count, scan.d_e);
    if (kS == StageKind::kData) put_rows<T>(tile, shared.d_rows[1], t, count, scan.d_s);
#pragma unroll
    for (int n = 0; n < kLeaves; ++n) {
      if (scan.d_leaves[n].data == nullptr) continue;
      if (Gate::spread(n) == Spread::kSteps)
        put_rows<typename Inputs::Leaf>(tile, shared.d_rows[2 + of(Spread::kSteps, n)], t, count,
                                        scan.d_leaves[n]);
      if (Gate::spread(n) == Spread::kCells)
        put_channels<typename Inputs::Leaf>(tile, sums(1 + of(Spread::kCells, n)), t, count,
                                            scan.d_leaves[n]);
    }
  }

  __device__ void store_static(int segments) {
    const long long at = (static_cast<long long>(tile.b) * segments + tile.segment) * tile.matrix();
    const auto to = [&](const ScanOutputCuda& out) { return static_cast<float*>(out.data) + at; };
    if (kE == StageKind::kStatic) tile.store(to(scan.d_e), d_e);
    if (kS == StageKind::kStatic) tile.store(to(scan.d_s), d_s);
#pragma unroll
    for (int n = 0; n < kLeaves; ++n)
      if (!Inputs::over_time(n) && scan.d_leaves[n].data)
        tile.store(to(scan.d_leaves[n]), d_static[n]);
  }
};

template <class Gate, class T, StageKind kE, StageKind kS>
__device__ void scan_backward(const ScanCuda& scan) {
  using Backward = ScanBackward<Gate, T, kE, kS>;
  static_assert(sizeof(typename Backward::Shared) ==
                scan_backward_bytes(Gate::kLeaves, Backward::kOfRows, Backward::kOfChannels,
                                    Gate::kParts, Backward::kStores));
  extern __shared__ float4 scan_shared[];
  Backward(scan, *reinterpret_cast<typename Backward::Shared*>(scan_shared)).run();
}

}  // namespace lcsm
