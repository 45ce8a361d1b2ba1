// Sums over conjugate pairs of modes at the roots of unity. With s and c the sine and cosine of
// half the node's angle, a pair is e^(i a / 2) (2 i s Re v - c Re(v conj(L))) / D, D = c^2 |L|^2 -
// 4 s^2 - 4 i s c Re L. Near a resonance the real part of D is a difference of large numbers, so
// that is float64; all else is float32.
#pragma once

#include "ets/cuda/cauchy_cuda.h"

namespace ets {

struct CauchyNode {
  double square, sine4;       // c^2, 4 s^2
  float sine2, cosine, both;  // 2 s, c, 4 s c

  CauchyNode() = default;
  __device__ CauchyNode(int k, int length) {
    double s, c;
    sincospi(static_cast<double>(k) / length, &s, &c);
    square = c * c, sine4 = 4 * s * s;
    sine2 = static_cast<float>(2 * s), cosine = static_cast<float>(c);
    both = static_cast<float>(4 * s * c);
  }
  // 1 / D
  __device__ float2 reciprocal(float of_real, double of_square) const {
    const float re = static_cast<float>(fma(square, of_square, -sine4)), im = both * of_real;
    const float scale = 1.0f / fmaf(re, re, im * im);
    return {re * scale, im * scale};
  }
};

// A group of a channel's modes, in shared memory.
template <int kSums>
struct CauchyModes {
  double square[kCauchyLanes];
  float real[kCauchyLanes], v[kSums][kCauchyLanes], rate[kSums][kCauchyLanes];

  __device__ void load(const CauchyCuda& c, int channel, int group) {
    const int lane = threadIdx.x, m = group + lane;
    const long long at = static_cast<long long>(channel) * c.M + m;
    __syncthreads();
    for (int n = threadIdx.y; n <= kSums; n += kCauchyWarps) {
      const long long of_sum = n * static_cast<long long>(c.D) * c.M + at;
      if (n < kSums) {
        v[n][lane] = m < c.M ? static_cast<float>(c.v_real[of_sum]) : 0.0f;
        rate[n][lane] = m < c.M ? static_cast<float>(c.v_rate[of_sum]) : 0.0f;
      } else {
        real[lane] = m < c.M ? static_cast<float>(c.real[at]) : 1.0f;
        square[lane] = m < c.M ? c.square[at] : 1.0;
      }
    }
    __syncthreads();
  }
};

// A block for some nodes of a channel.
template <int kSums>
__device__ void cauchy_forward(const CauchyCuda& c) {
  constexpr int kThreads = kCauchyLanes * kCauchyWarps, kRounds = kCauchyRounds;
  __shared__ CauchyModes<kSums> modes;
  const int channel = static_cast<int>(blockIdx.x), nodes = c.length / 2 + 1;
  const int thread = threadIdx.y * kCauchyLanes + threadIdx.x;
  const int first = static_cast<int>(blockIdx.y) * kCauchyTile + thread;
  CauchyNode node[kRounds];
#pragma unroll
  for (int n = 0; n < kRounds; ++n)
    node[n] = CauchyNode(min(first + n * kThreads, nodes - 1), c.length);
  float2 sums[kRounds][kSums] = {};
  for (int group = 0; group < c.M; group += kCauchyLanes) {
    modes.load(c, channel, group);
    for (int i = 0; i < min(kCauchyLanes, c.M - group); ++i)
#pragma unroll
      for (int n = 0; n < kRounds; ++n) {
        const float2 one = node[n].reciprocal(modes.real[i], modes.square[i]);
        const float2 s = {node[n].sine2 * one.x, node[n].sine2 * one.y},
                     u = {node[n].cosine * one.x, node[n].cosine * one.y};
#pragma unroll
        for (int k = 0; k < kSums; ++k) {
          float2& sum = sums[n][k];
          sum.x = fmaf(-modes.rate[k][i], u.x, fmaf(-modes.v[k][i], s.y, sum.x));
          sum.y = fmaf(-modes.rate[k][i], u.y, fmaf(modes.v[k][i], s.x, sum.y));
        }
      }
  }
#pragma unroll
  for (int n = 0; n < kRounds; ++n) {
    const int k = first + n * kThreads;
    const float s = node[n].sine2 / 2, u = node[n].cosine;
    auto* const to = reinterpret_cast<float2*>(c.r) + static_cast<long long>(channel) * nodes + k;
#pragma unroll
    for (int i = 0; i < kSums; ++i)
      if (k < nodes) {
        const float2 sum = sums[n][i];
        to[i * static_cast<long long>(c.D) * nodes] = {fmaf(u, sum.x, -s * sum.y),
                                                       fmaf(u, sum.y, s * sum.x)};
      }
  }
}

// A block for a channel: a lane is a mode, a warp has 16 of the nodes that are staged.
template <int kSums>
__device__ void cauchy_backward(const CauchyCuda& c) {
  constexpr int kLanes = kCauchyLanes, kWarps = kCauchyWarps, kStaged = kCauchyStaged;
  constexpr int kResults = 2 + 2 * kSums;  // d_real, d_square, then d_v_real and d_v_rate of each
  __shared__ CauchyModes<kSums> modes;
  __shared__ CauchyNode staged[kStaged];
  __shared__ float2 turned[kStaged][kSums];  // conj(d_r) e^(i a / 2)
  __shared__ double of_warps[kWarps][kLanes];
  const int lane = threadIdx.x, warp = threadIdx.y, thread = warp * kLanes + lane;
  const int channel = static_cast<int>(blockIdx.x), nodes = c.length / 2 + 1;
  const auto* const from =
      reinterpret_cast<const float2*>(c.d_r) + static_cast<long long>(channel) * nodes;
  for (int group = 0; group < c.M; group += kLanes) {
    modes.load(c, channel, group);
    const long long at = static_cast<long long>(channel) * c.M + group + lane;
    const long long of_sum = static_cast<long long>(c.D) * c.M;
    const float real = modes.real[lane];
    const double square = modes.square[lane];
    float v[kSums], rate[kSums];
    double results[kResults] = {};
#pragma unroll
    for (int k = 0; k < kSums; ++k) v[k] = modes.v[k][lane], rate[k] = modes.rate[k][lane];
    for (int first = 0; first < nodes; first += kStaged) {
      __syncthreads();
      if (thread < kStaged) {
        const int node = first + thread;
        staged[thread] = CauchyNode(min(node, nodes - 1), c.length);
        const float s = staged[thread].sine2 / 2, u = staged[thread].cosine;
#pragma unroll
        for (int k = 0; k < kSums; ++k) {
          const float2 d =
              node < nodes ? from[k * static_cast<long long>(c.D) * nodes + node] : float2{};
          turned[thread][k] = {fmaf(d.x, u, d.y * s), fmaf(d.x, s, -d.y * u)};
        }
      }
      __syncthreads();
      float sums[kResults] = {};
      for (int n = warp; n < kStaged; n += kWarps) {
        const CauchyNode node = staged[n];
        const float2 one = node.reciprocal(real, square);
        float2 z = {};  // the gradient of 1 / D
#pragma unroll
        for (int k = 0; k < kSums; ++k) {
          const float2 h = turned[n][k], s = {node.sine2 * h.x, node.sine2 * h.y},
                       u = {node.cosine * h.x, node.cosine * h.y};
          float &d_v = sums[2 + 2 * k], &d_rate = sums[3 + 2 * k];
          d_v = fmaf(-s.x, one.y, fmaf(-s.y, one.x, d_v));
          d_rate = fmaf(-u.x, one.x, fmaf(u.y, one.y, d_rate));
          z.x = fmaf(-v[k], s.y, fmaf(-rate[k], u.x, z.x));
          z.y = fmaf(v[k], s.x, fmaf(-rate[k], u.y, z.y));
        }
        const float re = fmaf(one.x, one.x, -one.y * one.y), im = 2 * one.x * one.y;
        sums[0] = fmaf(-node.both, fmaf(z.x, im, z.y * re), sums[0]);
        sums[1] = fmaf(-node.cosine * node.cosine, fmaf(z.x, re, -z.y * im), sums[1]);
      }
#pragma unroll
      for (int k = 0; k < kResults; ++k) results[k] += sums[k];
    }
#pragma unroll
    for (int k = 0; k < kResults; ++k) {
      of_warps[warp][lane] = results[k];
      __syncthreads();
      if (warp == k % kWarps && group + lane < c.M) {
        double sum = 0;
        for (int w = 0; w < kWarps; ++w) sum += of_warps[w][lane];
        double* const to = k == 0       ? c.d_real
                           : k == 1     ? c.d_square
                           : k % 2 == 0 ? c.d_v_real
                                        : c.d_v_rate;
        to[(k < 2 ? 0 : (k / 2 - 1) * of_sum) + at] = sum;
      }
      __syncthreads();
    }
  }
}

}  // namespace ets

#define ETS_CAUCHY_KERNEL(pass, sums)                                                \
  extern "C" __global__ void __launch_bounds__(ets::kCauchyLanes* ets::kCauchyWarps) \
      cauchy_##pass##_##sums(const __grid_constant__ ets::CauchyCuda given) {        \
    ets::cauchy_##pass<sums>(given);                                                 \
  }
#define ETS_CAUCHY_KERNELS()     \
  ETS_CAUCHY_KERNEL(forward, 4)  \
  ETS_CAUCHY_KERNEL(backward, 4) \
  ETS_CAUCHY_KERNEL(forward, 6)  \
  ETS_CAUCHY_KERNEL(backward, 6)
