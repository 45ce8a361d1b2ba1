// Each number by itself, by the code of a gate in tape_source.h.
#pragma once

#include "lcsm/cuda/scan/scan_tile_cuda.cuh"
#include "lcsm/cuda/step/map_cuda.h"
#include "lcsm/cuda/step/vectors_cuda.cuh"

namespace lcsm {

template <class Gate, class Leaf, int kUnit>
__device__ void read_leaves(const MapCuda& map, long long first, float (&x)[kUnit][Gate::kLeaves]) {
#pragma unroll
  for (int n = 0; n < Gate::kLeaves; ++n) {
    float unit[kUnit];
    if (Gate::spread(n) == Spread::kCells) {
      read_unit(static_cast<const Leaf*>(map.leaves[n]) + first, unit);
    } else {
      const auto* const from = static_cast<const float*>(map.leaves[n]);
#pragma unroll
      for (int u = 0; u < kUnit; ++u)
        unit[u] = from[Gate::spread(n) == Spread::kChannels ? (first + u) % map.columns : 0];
    }
#pragma unroll
    for (int u = 0; u < kUnit; ++u) x[u][n] = unit[u];
  }
}

template <class Gate, class Leaf, class Out, int kUnit>
__device__ void map_forward(const MapCuda& map) {
  each_unit<kMapThreads, kMapUnits, kUnit>(map.count, [&](long long first) {
    float x[kUnit][Gate::kLeaves], out[kUnit];
    read_leaves<Gate, Leaf>(map, first, x);
#pragma unroll
    for (int u = 0; u < kUnit; ++u) {
      typename Gate::Factors by;
      Gate::gate(x[u], by);
      out[u] = by.o.x[0];
    }
    write_unit(static_cast<Out*>(map.out) + first, out);
  });
}

template <class Gate, class Leaf, class Out, int kUnit>
__device__ void map_backward(const MapCuda& map) {
  each_unit<kMapThreads, kMapUnits, kUnit>(map.count, [&](long long first) {
    float x[kUnit][Gate::kLeaves], d_out[kUnit], d[kUnit][Gate::kLeaves] = {};
    read_leaves<Gate, Leaf>(map, first, x);
    read_unit(static_cast<const Out*>(map.d_out) + first, d_out);
#pragma unroll
    for (int u = 0; u < kUnit; ++u)
      Gate::gradient(
          x[u],
          [&](const auto& by, float slope, auto& d_by) {
            d_by.o.x[0] = d_out[u] * slope * (Gate::kByLog ? by.o.x[0] : 1.0f);
          },
          d[u]);
#pragma unroll
    for (int n = 0; n < Gate::kLeaves; ++n) {
      if (Gate::spread(n) != Spread::kCells) continue;
      float unit[kUnit];
#pragma unroll
      for (int u = 0; u < kUnit; ++u) unit[u] = d[u][n];
      write_unit(static_cast<Leaf*>(map.d_leaves[n]) + first, unit);
    }
  });
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
