// Forward of one row, and how a segment of time changes the memory before it.
#pragma once

#include "lcsm/cuda/scan/scan_channels_tile_cuda.cuh"

namespace lcsm {

// For each step of a thread: o, and what the step adds to m. Padded steps change nothing.
template <class Inputs>
struct ChannelSteps {
  static constexpr int kSteps = Inputs::kSteps;
  float2 o[kSteps], in[kSteps];

  __device__ void read(const Inputs& inputs, int count) {
#pragma unroll
    for (int n = 0; n < kSteps; ++n) {
      float2 w;
      inputs.gate(n, &o[n], &w);
      in[n] = product(w, product(inputs.e_of(inputs.e_step, n), two_of(inputs.i[n])));
    }
    pad(count);
  }
  __device__ void pad(int count) {
    if (count == kSteps) return;
#pragma unroll
    for (int n = 0; n < kSteps; ++n)
      if (n >= count) o[n] = {1.0f, 1.0f};
  }
  __device__ ChannelLink link() const {
    ChannelLink all{o[0], in[0]};
#pragma unroll
    for (int n = 1; n < kSteps; ++n) all = ChannelLink{o[n], in[n]}.after(all);
    return all;
  }
  // The same against time: `in` is the gradient of m_t without what comes from later steps.
  __device__ ChannelLink link_back() const {
    ChannelLink all{o[kSteps - 1], in[kSteps - 1]};
#pragma unroll
    for (int n = kSteps - 2; n >= 0; --n)
      all = {product(o[n], all.by), added(o[n + 1], all.end, in[n])};
    return {all.by, product(o[0], all.end)};
  }
};

template <class Gate, class T, StageKind kE, StageKind kS>
__device__ void scan_channels_forward(const ScanCuda& scan) {
  using Inputs = ChannelInputs<Gate, T, kE, kS>;
  constexpr int kSteps = Inputs::kSteps;
  __shared__ ChannelLinks links;
  Inputs inputs(scan);
  const typename Inputs::Tile& tile = inputs.tile;
  float2 m = tile.load(scan.starts, tile.of_segment());
  inputs.template fetch<true, true, false>(tile.first);
  for (int at = tile.first; at < tile.last; ++at) {
    const int count = tile.count(at);
    ChannelSteps<Inputs> steps;
    steps.read(inputs, count);
    const T s_step = inputs.s_step;
    if (at + 1 < tile.last) inputs.template fetch<true, true, false>(at + 1);
    float2 now = tile.template carry<false>(links, at, steps.link(), &m);
    if (scan.kept && count > 0) tile.store(static_cast<float*>(scan.kept), tile.part(at), now);
    float2 y[kSteps];
#pragma unroll
    for (int n = 0; n < kSteps; ++n) {
      now = added(steps.o[n], now, steps.in[n]);
      y[n] = product(inputs.s_of(s_step, n), now);
    }
    tile.template store<T>(scan.y, at, y);
  }
  if (tile.last == tile.tiles && tile.warp == 0 && tile.half == 0)
    tile.store(scan.memory, tile.b, m);
}

// Writes to `ends` the memory at the end of a segment that begins with 0, and the product of its
// gates. kReverse: the gradient of the memory before a segment that ends with gradient 0.
template <class Gate, class T, StageKind kE, StageKind kS, bool kReverse>
__device__ void scan_channels_segments(const ScanCuda& scan) {
  using Inputs = ChannelInputs<Gate, T, kE, kS>;
  __shared__ ChannelLinks links;
  Inputs inputs(scan);
  const typename Inputs::Tile& tile = inputs.tile;
  ChannelLink all{{1.0f, 1.0f}, {}};
  for (int done = tile.first; done < tile.last; ++done) {
    const int at = kReverse ? tile.first + tile.last - 1 - done : done;
    inputs.template fetch<!kReverse, kReverse, kReverse>(at);
    ChannelSteps<Inputs> steps;
    if (kReverse) {
#pragma unroll
      for (int n = 0; n < Inputs::kSteps; ++n) {
        float2 w;
        inputs.gate(n, &steps.o[n], &w);
        steps.in[n] = product(inputs.s_of(inputs.s_step, n), two_of(inputs.d_y[n]));
      }
      steps.pad(tile.count(at));
    } else {
      steps.read(inputs, tile.count(at));
    }
    tile.template share<kReverse>(links, at, kReverse ? steps.link_back() : steps.link());
    __syncthreads();
    tile.template each_warp<kReverse>(links, at,
                                      [&](int, const ChannelLink& link) { all = link.after(all); });
  }
  if (tile.warp > 0 || tile.half > 0) return;
  tile.store(scan.ends, tile.of_segment(), all.end);
  tile.store(scan.ends, static_cast<long long>(scan.B) * tile.segments + tile.of_segment(), all.by);
}

}  // namespace lcsm
