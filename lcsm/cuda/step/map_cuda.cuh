// Each cell by itself, by the code of a gate in tape_source.h. A block has a tile of columns, and
// goes over rows.
#pragma once

#include "lcsm/cuda/scan/scan_tile_cuda.cuh"
#include "lcsm/cuda/step/map_cuda.h"
#include "lcsm/cuda/step/vectors_cuda.cuh"

namespace lcsm {

// This thread's columns, with the leaves that do not vary over rows.
template <class Gate, class Leaf, int kUnit>
struct MapColumns {
  using Cells = float[kUnit][Gate::kLeaves];  // the leaves of a row's cells, or their gradients

  const MapCuda& map;
  const int lane, team, teams, column;
  Cells fixed;

  __device__ explicit MapColumns(const MapCuda& given)
      : map(given),
        lane(threadIdx.x % given.lanes),
        team(threadIdx.x / given.lanes),
        teams(kMapThreads / given.lanes),
        column((blockIdx.y * given.lanes + lane) * kUnit) {
#pragma unroll
    for (int n = 0; n < Gate::kLeaves; ++n)
#pragma unroll
      for (int u = 0; u < kUnit; ++u) {
        fixed[u][n] = 0;
        if (over_steps(Gate::spread(n)) || column >= map.columns) continue;
        const auto* const from = static_cast<const float*>(map.leaves[n]);
        fixed[u][n] = from[Gate::spread(n) == Spread::kChannels ? column + u : 0];
      }
  }

  static __device__ constexpr bool over_steps(Spread spread) {
    return spread == Spread::kCells || spread == Spread::kSteps;
  }
  __device__ long long cell(long long row) const { return row * map.columns + column; }
  __device__ bool has(long long row) const { return column < map.columns && cell(row) < map.count; }

  // Calls work with each kMapRows rows of this thread, some of which may not exist. All threads of
  // a block take part.
  template <class Work>
  __device__ void each_rows(const Work& work) const {
    const long long step = static_cast<long long>(teams) * kMapRows;
    for (long long first = blockIdx.x * step; first < map.rows; first += gridDim.x * step) {
      long long rows[kMapRows];
#pragma unroll
      for (int r = 0; r < kMapRows; ++r) rows[r] = first + r * teams + team;
      work(rows);
    }
  }

  __device__ void read(long long row, Cells& x) const {
#pragma unroll
    for (int n = 0; n < Gate::kLeaves; ++n) {
      float unit[kUnit];
#pragma unroll
      for (int u = 0; u < kUnit; ++u) unit[u] = fixed[u][n];
      const auto* const from = static_cast<const Leaf*>(map.leaves[n]);
      if (Gate::spread(n) == Spread::kCells && has(row)) read_unit(from + cell(row), unit);
      if (Gate::spread(n) == Spread::kSteps && has(row)) {
        const float number = number_of(from[row]);
#pragma unroll
        for (int u = 0; u < kUnit; ++u) unit[u] = number;
      }
#pragma unroll
      for (int u = 0; u < kUnit; ++u) x[u][n] = unit[u];
    }
  }
};

template <class Gate, class Leaf, class Out, int kUnit>
__device__ void map_forward(const MapCuda& map) {
  using Columns = MapColumns<Gate, Leaf, kUnit>;
  const Columns columns(map);
  columns.each_rows([&](const long long(&rows)[kMapRows]) {
    typename Columns::Cells x[kMapRows];
#pragma unroll
    for (int r = 0; r < kMapRows; ++r) columns.read(rows[r], x[r]);
#pragma unroll
    for (int r = 0; r < kMapRows; ++r) {
      float out[kUnit];
#pragma unroll
      for (int u = 0; u < kUnit; ++u) {
        typename Gate::Factors by;
        Gate::gate(x[r][u], by);
        out[u] = by.o.x[0];
      }
      if (columns.has(rows[r])) write_unit(static_cast<Out*>(map.out) + columns.cell(rows[r]), out);
    }
  });
}

template <class Gate, class Leaf, class Out, int kUnit>
__device__ void map_backward(const MapCuda& map) {
  using Columns = MapColumns<Gate, Leaf, kUnit>;
  const Columns columns(map);
  typename Columns::Cells sums = {};
  columns.each_rows([&](const long long(&rows)[kMapRows]) {
    typename Columns::Cells x[kMapRows];
    float d_out[kMapRows][kUnit];
#pragma unroll
    for (int r = 0; r < kMapRows; ++r) {
      columns.read(rows[r], x[r]);
      if (columns.has(rows[r]))
        read_unit(static_cast<const Out*>(map.d_out) + columns.cell(rows[r]), d_out[r]);
    }
#pragma unroll
    for (int r = 0; r < kMapRows; ++r) {
      typename Columns::Cells d = {};
      if (columns.has(rows[r]))
#pragma unroll
        for (int u = 0; u < kUnit; ++u)
          Gate::gradient(
              x[r][u],
              [&](const auto& by, float slope, auto& d_by) {
                d_by.o.x[0] = d_out[r][u] * slope * (Gate::kByLog ? by.o.x[0] : 1.0f);
              },
              d[u]);
#pragma unroll
      for (int n = 0; n < Gate::kLeaves; ++n) {
        float unit[kUnit];
#pragma unroll
        for (int u = 0; u < kUnit; ++u) unit[u] = d[u][n];
        if (Gate::spread(n) == Spread::kCells) {
          if (columns.has(rows[r]))
            write_unit(static_cast<Leaf*>(map.d_leaves[n]) + columns.cell(rows[r]), unit);
        } else if (Gate::spread(n) == Spread::kSteps) {
          if (map.d_leaves[n] == nullptr) continue;
          float sum = 0;
#pragma unroll
          for (float number : unit) sum += number;
          for (int by = map.lanes / 2; by > 0; by /= 2) sum += __shfl_xor_sync(~0u, sum, by);
          if (columns.lane == 0 && rows[r] < map.rows)
            static_cast<float*>(map.d_leaves[n])[rows[r] * gridDim.y + blockIdx.y] = sum;
        } else {
#pragma unroll
          for (int u = 0; u < kUnit; ++u) sums[u][n] += unit[u];
        }
      }
    }
  });
#pragma unroll
  for (int n = 0; n < Gate::kLeaves; ++n) {
    if (Columns::over_steps(Gate::spread(n)) || map.d_leaves[n] == nullptr) continue;
    float sum[kUnit];
#pragma unroll
    for (int u = 0; u < kUnit; ++u) sum[u] = sums[u][n];
    add_teams<kMapThreads>(map.lanes, sum);
    if (columns.team == 0 && columns.column < map.columns)
      write_unit(static_cast<float*>(map.d_leaves[n]) + blockIdx.x * map.columns + columns.column,
                 sum);
  }
}

}  // namespace lcsm

#define LCSM_MAP_KERNEL(way, name, Gate, Leaf, Out, kUnit)                  \
  extern "C" __global__ void __launch_bounds__(lcsm::kMapThreads)           \
      name##_##way##_##kUnit(const __grid_constant__ lcsm::MapCuda given) { \
    lcsm::map_##way<Gate, Leaf, Out, kUnit>(given);                         \
  }
#define LCSM_MAP_KERNELS(name, Gate, Leaf, Out)       \
  LCSM_MAP_KERNEL(forward, name, Gate, Leaf, Out, 4)  \
  LCSM_MAP_KERNEL(forward, name, Gate, Leaf, Out, 1)  \
  LCSM_MAP_KERNEL(backward, name, Gate, Leaf, Out, 4) \
  LCSM_MAP_KERNEL(backward, name, Gate, Leaf, Out, 1)
