// A thread has a unit of neighboring channels of kConvSteps steps. Backward, the gradient g of
// what f is given is computed again for the taps - 1 steps behind them.
#pragma once

#include "lcsm/cuda/step/gated_cuda.cuh"
#include "lcsm/cuda/step/short_conv_cuda.h"

namespace lcsm {

template <int kUnit>
struct ConvPlace {
  __device__ explicit ConvPlace(const ShortConvCuda& c)
      : sequence(blockIdx.x / c.parts),
        strip(threadIdx.x / c.lanes),
        strips(kConvThreads / c.lanes),
        channel((blockIdx.y * c.lanes + threadIdx.x % c.lanes) * kUnit),
        first((blockIdx.x % c.parts * strips + strip) * kConvSteps),
        last(min(first + kConvSteps, c.steps)) {}

  __device__ bool empty(const ShortConvCuda& c) const { return channel >= c.d || first >= last; }
  // The first row of this sequence, from this channel on.
  __device__ long long begin(const ShortConvCuda& c, long long row) const {
    return sequence * c.steps * row + channel;
  }

  const long long sequence;
  const int strip, strips, channel, first, last;
};

template <int kTaps, int kUnit>
struct ConvWeights {
  __device__ ConvWeights(const ShortConvCuda& c, int channel) {
#pragma unroll
    for (int j = 0; j < kTaps; ++j) read_unit(c.weight + j * c.d + channel, w[j]);
#pragma unroll
    for (int u = 0; u < kUnit; ++u) bias[u] = c.bias == nullptr ? 0 : c.bias[channel + u];
  }
  float w[kTaps][kUnit], bias[kUnit];
};

// The rows of steps t - kEarlier to t + kAhead - 1; zeros outside of the sequence.
template <int kTaps, int kAhead, int kUnit>
struct ConvRows {
  static constexpr int kEarlier = kTaps - 1;

  template <class X>
  __device__ void read(int n, const X* row, bool exists) {
    if (exists) return read_unit(row, rows[n]);
#pragma unroll
    for (int u = 0; u < kUnit; ++u) rows[n][u] = 0;
  }
  // Steps before t; x_t is where step t begins.
  template <class X>
  __device__ void begin(const X* x_t, long long row, int t) {
#pragma unroll
    for (int n = 0; n < kEarlier; ++n) read(n, x_t + (n - kEarlier) * row, t + n >= kEarlier);
  }
  template <class X>
  __device__ void read_ahead(const X* x_t, long long row, int t, int steps) {
#pragma unroll
    for (int s = 0; s < kAhead; ++s) read(kEarlier + s, x_t + s * row, t + s < steps);
  }
  // To t + kAhead.
  __device__ void go_on() {
#pragma unroll
    for (int n = 0; n < kEarlier; ++n)
#pragma unroll
      for (int u = 0; u < kUnit; ++u) rows[n][u] = rows[n + kAhead][u];
  }
  // bias + sum of w_j x_(t+s-j).
  __device__ float sum(const ConvWeights<kTaps, kUnit>& by, int s, int u) const {
    float sum = by.bias[u];
#pragma unroll
    for (int j = 0; j < kTaps; ++j) sum = fmaf(by.w[j][u], rows[kEarlier + s - j][u], sum);
    return sum;
  }

  float rows[kEarlier + kAhead][kUnit] = {};
};

template <Activation f, class X, int kTaps, int kUnit>
__device__ void short_conv_forward(const ShortConvCuda& c) {
  constexpr int kAhead = 4;
  const ConvPlace<kUnit> at(c);
  if (at.empty(c)) return;
  const auto* x = static_cast<const X*>(c.x) + at.begin(c, c.row) + at.first * c.row;
  auto* y = static_cast<X*>(c.y) + at.begin(c, c.d) + static_cast<long long>(at.first) * c.d;
  const ConvWeights<kTaps, kUnit> by(c, at.channel);
  ConvRows<kTaps, kAhead, kUnit> rows;
  rows.begin(x, c.row, at.first);
  for (int t = at.first; t < at.last; t += kAhead) {
    rows.read_ahead(x, c.row, t, c.steps);
#pragma unroll
    for (int s = 0; s < kAhead; ++s) {
      if (t + s >= at.last) break;
      float out[kUnit];
#pragma unroll
      for (int u = 0; u < kUnit; ++u) out[u] = active<f>(rows.sum(by, s, u)).value;
      write_unit(y + static_cast<long long>(s) * c.d, out);
    }
    rows.go_on();
    x += kAhead * c.row, y += kAhead * static_cast<long long>(c.d);
  }
}

// Adds a number of each thread over the strips of its block, in a fixed order; strip 0 writes.
template <int kUnit>
__device__ void add_strips(const ShortConvCuda& c, const ConvPlace<kUnit>& at, int taps, int tap,
                           const float (&x)[kUnit]) {
  float sum[kUnit];
#pragma unroll
  for (int u = 0; u < kUnit; ++u) sum[u] = x[u];
  add_teams<kConvThreads>(c.lanes, sum);
  if (at.strip == 0 && at.channel < c.d)
    write_unit(
        c.partial + (static_cast<long long>(blockIdx.x) * (taps + 1) + tap) * c.d + at.channel,
        sum);
}

// d_x_t = sum of w_j g_(t+j); d_w_j = sum of g_t x_(t-j); d_b = sum of g_t.
template <Activation f, class X, int kTaps, int kUnit>
__device__ void short_conv_backward(const ShortConvCuda& c) {
  constexpr int kAhead = 2, kEarlier = kTaps - 1;
  const ConvPlace<kUnit> at(c);
  float d_w[kTaps][kUnit] = {}, d_b[kUnit] = {};
  if (!at.empty(c)) {
    const long long d = c.d, begin = at.begin(c, d) + at.first * d;
    const auto* x = static_cast<const X*>(c.x) + at.begin(c, c.row) + at.first * c.row;
    const auto* d_y = static_cast<const X*>(c.d_y) + begin;
    auto* d_x = static_cast<X*>(c.d_x) + begin - kEarlier * d;
    const ConvWeights<kTaps, kUnit> by(c, at.channel);
    ConvRows<kTaps, kAhead, kUnit> rows, g;
    rows.begin(x, c.row, at.first);
    for (int t = at.first; t < at.last + kEarlier; t += kAhead) {
      rows.read_ahead(x, c.row, t, c.steps);
      g.read_ahead(d_y, d, t, c.steps);
#pragma unroll
      for (int s = 0; s < kAhead; ++s) {
        const bool own = t + s < at.last;
        float out[kUnit] = {};
#pragma unroll
        for (int u = 0; u < kUnit; ++u) {
          float& g_t = g.rows[kEarlier + s][u];
          if (f != Activation::kIdentity) g_t *= active<f>(rows.sum(by, s, u)).slope;
          if (own) d_b[u] += g_t;
#pragma unroll
          for (int j = 0; j < kTaps; ++j) {
            if (own) d_w[j][u] = fmaf(g_t, rows.rows[kEarlier + s - j][u], d_w[j][u]);
            out[u] = fmaf(by.w[j][u], g.rows[s + j][u], out[u]);
          }
        }
        const int back = t + s - kEarlier;
        if (back >= at.first && back < at.last) write_unit(d_x + s * d, out);
      }
      rows.go_on();
      g.go_on();
      x += kAhead * c.row, d_y += kAhead * d, d_x += kAhead * d;
    }
  }
#pragma unroll
  for (int j = 0; j < kTaps; ++j) add_strips(c, at, kTaps, j, d_w[j]);
  add_strips(c, at, kTaps, kTaps, d_b);
}

}  // namespace lcsm

#define LCSM_SHORT_CONV_KERNEL(way, name, f, X, kTaps, kUnit)                        \
  extern "C" __global__ void __launch_bounds__(lcsm::kConvThreads, 2)                \
      short_conv_##way##_##name(const __grid_constant__ lcsm::ShortConvCuda given) { \
    lcsm::short_conv_##way<f, X, kTaps, kUnit>(given);                               \
  }
#define LCSM_SHORT_CONV_KERNELS(name, f, X, kTaps, kUnit)   \
  LCSM_SHORT_CONV_KERNEL(forward, name, f, X, kTaps, kUnit) \
  LCSM_SHORT_CONV_KERNEL(backward, name, f, X, kTaps, kUnit)
