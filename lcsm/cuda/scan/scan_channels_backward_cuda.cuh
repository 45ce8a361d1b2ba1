// Backward of one row. Each thread computes its steps again from the memory that forward kept, and
// the factors from the gradient of m to the gradients of leaves. Then gradients go from warp to
// warp, from the last.
#pragma once

#include "lcsm/cuda/scan/scan_channels_forward_cuda.cuh"

namespace lcsm {

template <class Gate, class T, StageKind kE, StageKind kS>
struct ScanChannelsBackward {
  using Inputs = ChannelInputs<Gate, T, kE, kS>;
  using Leaf = typename Inputs::Leaf;
  using Factors = typename Inputs::Factors;
  static constexpr int kLeaves = Inputs::kLeaves, kSteps = Inputs::kSteps;
  struct Shared {
    ChannelLinks links;
    float2 sums[kChannelWarps][kChannelLanes];
  };

  const ScanCuda& scan;
  Shared& shared;
  Inputs inputs;
  float2 g;                          // the gradient of m behind the tile
  float2 d_e = {}, d_s = {};         // of static e and s
  float2 d_fixed[kLeaves + 1] = {};  // of static leaves
  // For each of this thread's steps.
  ChannelSteps<Inputs> steps;                 // `in` is the gradient of m that comes from y
  float2 w[kSteps], by[kLeaves + 1][kSteps];  // from the gradient of m to that of a leaf

  __device__ ScanChannelsBackward(const ScanCuda& s, Shared& memory)
      : scan(s), shared(memory), inputs(s) {}

  __device__ void run() {
    const typename Inputs::Tile& tile = inputs.tile;
    g = tile.load(scan.starts, tile.of_segment());
    inputs.template fetch<true, true, true>(tile.last - 1);
    float2 m = kept(tile.last - 1);
    for (int at = tile.last - 1; at >= tile.first; --at) {
      read(at, m);
      typename Inputs::Pair i[kSteps];
#pragma unroll
      for (int n = 0; n < kSteps; ++n) i[n] = inputs.i[n];
      const T e_step = inputs.e_step;
      if (at > tile.first) {
        inputs.template fetch<true, true, true>(at - 1);
        m = kept(at - 1);
      }
      float2 now = tile.template carry<true>(shared.links, at, steps.link_back(), &g);
#pragma unroll
      for (int n = kSteps - 1; n >= 0; --n) {  // the gradients of m_t, in place
        steps.in[n] = {steps.in[n].x + now.x, steps.in[n].y + now.y};
        now = product(steps.o[n], steps.in[n]);
      }
      store(at, i, e_step);
    }
    if (tile.first == 0 && tile.warp == 0 && tile.half == 0) tile.store(scan.memory, tile.b, g);
    if (kE == StageKind::kStatic) store_static(scan.d_e, d_e);
    if (kS == StageKind::kStatic) store_static(scan.d_s, d_s);
#pragma unroll
    for (int n = 0; n < kLeaves; ++n)
      if (!Inputs::over_time(n) && scan.d_leaves[n].data)
        store_static(scan.d_leaves[n], d_fixed[n]);
  }

 private:
  __device__ float2 kept(int at) const {
    const auto* const all = static_cast<const float*>(scan.kept);
    return inputs.tile.count(at) > 0 ? inputs.tile.load(all, inputs.tile.part(at)) : float2{};
  }

  // One channel at one step.
  __device__ void cell(const float (&x)[kLeaves + 1], float in, float* m, float* o, float* of_w,
                       float (&d)[kLeaves + 1]) const {
    Gate::gradient(
        x,
        [&](const Factors& of, float slope, Factors& d_of) {
          *o = of.o.x[0];
          d_of.o.x[0] = Gate::kByLog ? slope * (*o * *m) : *m;
          if constexpr (Gate::kWrites) {
            d_of.w.x[0] = in;
            *of_w = of.w.x[0];
            in *= *of_w;
          }
          *m = fmaf(*o, *m, in);
        },
        d);
  }

  // The gate, forward from m.
  __device__ void read(int at, float2 m) {
    const int count = inputs.tile.count(at);
    float s_by_step[kSteps];
#pragma unroll
    for (int n = 0; n < kSteps; ++n) {
      float one[kLeaves + 1], other[kLeaves + 1], d_one[kLeaves + 1] = {},
                                                                  d_other[kLeaves + 1] = {};
      inputs.leaves(n, one, other);
      const float2 d_y = two_of(inputs.d_y[n]);
      const float2 in = product(inputs.e_of(inputs.e_step, n), two_of(inputs.i[n]));
      cell(one, in.x, &m.x, &steps.o[n].x, &w[n].x, d_one);
      cell(other, in.y, &m.y, &steps.o[n].y, &w[n].y, d_other);
      steps.in[n] = product(inputs.s_of(inputs.s_step, n), d_y);
      if (kS == StageKind::kStatic) d_s = added(m, d_y, d_s);
      if (kS == StageKind::kData) s_by_step[n] = fmaf(m.x, d_y.x, m.y * d_y.y);
#pragma unroll
      for (int k = 0; k < kLeaves; ++k) by[k][n] = {d_one[k], d_other[k]};
    }
    if (kS == StageKind::kData) inputs.tile.template store_steps<T>(scan.d_s, at, s_by_step);
    steps.pad(count);
    if (count == kSteps) return;
#pragma unroll
    for (int n = 0; n < kSteps; ++n)
#pragma unroll
      for (int k = 0; k < kLeaves; ++k)
        if (n >= count) by[k][n] = {};
  }

  // All other gradients of the steps.
  __device__ void store(int at, const typename Inputs::Pair (&i)[kSteps], T e_step) {
    float2 d_i[kSteps];
    float e_by_step[kSteps];
#pragma unroll
    for (int n = 0; n < kSteps; ++n) {
      const float2 d_in = Gate::kWrites ? product(w[n], steps.in[n]) : steps.in[n];
      d_i[n] = product(inputs.e_of(e_step, n), d_in);
      if (kE == StageKind::kStatic) d_e = added(d_in, two_of(i[n]), d_e);
      const float2 by_i = product(d_in, two_of(i[n]));
      if (kE == StageKind::kData) e_by_step[n] = by_i.x + by_i.y;
    }
    inputs.tile.template store<T>(scan.d_i, at, d_i);
    if (kE == StageKind::kData) inputs.tile.template store_steps<T>(scan.d_e, at, e_by_step);
#pragma unroll
    for (int k = 0; k < kLeaves; ++k) store_leaf(k, at);
  }
  __device__ void store_leaf(int k, int at) {
    if (scan.d_leaves[k].data == nullptr) return;
    float2 d[kSteps];
    float by_step[kSteps];
#pragma unroll
    for (int n = 0; n < kSteps; ++n) {
      d[n] = product(by[k][n], steps.in[n]);
      by_step[n] = d[n].x + d[n].y;
      if (!Inputs::over_time(k)) d_fixed[k] = {d_fixed[k].x + d[n].x, d_fixed[k].y + d[n].y};
    }
    if (Gate::spread(k) == Spread::kCells)
      inputs.tile.template store<Leaf>(scan.d_leaves[k], at, d);
    if (Gate::spread(k) == Spread::kSteps)
      inputs.tile.template store_steps<Leaf>(scan.d_leaves[k], at, by_step);
  }

  // The sum of all warps, in their order.
  __device__ void store_static(const ScanOutputCuda& out, float2 sum) {
    sum.x += __shfl_xor_sync(~0u, sum.x, kChannelLanes);
    sum.y += __shfl_xor_sync(~0u, sum.y, kChannelLanes);
    __syncthreads();
    if (inputs.tile.half == 0) shared.sums[inputs.tile.warp][inputs.tile.lane] = sum;
    __syncthreads();
    if (inputs.tile.warp > 0 || inputs.tile.half > 0) return;
    for (int n = 1; n < kChannelWarps; ++n) {
      const float2 others = shared.sums[n][inputs.tile.lane];
      sum = {sum.x + others.x, sum.y + others.y};
    }
    inputs.tile.store(static_cast<float*>(out.data), inputs.tile.of_segment(), sum);
  }
};

template <class Gate, class T, StageKind kE, StageKind kS>
__device__ void scan_channels_backward(const ScanCuda& scan) {
  using Backward = ScanChannelsBackward<Gate, T, kE, kS>;
  __shared__ typename Backward::Shared shared;
  Backward(scan, shared).run();
}

}  // namespace lcsm
