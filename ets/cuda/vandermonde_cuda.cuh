// Kernels that are sums of modes. Exponentials are float64 where a thread begins, and float32
// products from there, for no more than 64 steps: a phase is as exact at any step as the angle.
// Modes that grow may begin as zero, from which no product leads away: forward takes an exponential
// for each of their steps, backward follows them from the end.
#pragma once

#include "ets/cuda/vandermonde_cuda.h"

namespace ets {

struct VandermondeMode {
  double log_decay, half_turns, weight, weight_imag, origin;

  __device__ bool grows() const { return log_decay > 0; }
  // exp(t z)
  __device__ double2 power(double t) const {
    const double size = exp(t * log_decay);
    double sine, cosine;
    sincospi(t * half_turns, &sine, &cosine);
    return {size * cosine, size * sine};
  }
  // w times the power at step t.
  __device__ double2 value(double t) const {
    const double2 e = power(t - origin);
    return {weight * e.x - weight_imag * e.y, weight * e.y + weight_imag * e.x};
  }
};
// A mode of a row, or 0 where there is none.
__device__ inline VandermondeMode vandermonde_mode(const VandermondeCuda& v, int row, int m) {
  if (m >= v.M) return {};
  const long long at = static_cast<long long>(row) * v.M + m;
  return {v.log_decay[at], v.angle ? v.angle[at] * 0.31830988618379067 : 0, v.weight[at],
          v.weight_imag ? v.weight_imag[at] : 0, v.origin ? v.origin[at] : 0};
}

__device__ inline float2 vandermonde_product(float2 a, float2 b) {
  return {fmaf(a.x, b.x, -a.y * b.y), fmaf(a.x, b.y, a.y * b.x)};
}
__device__ inline float2 rounded(double2 a) {
  return {static_cast<float>(a.x), static_cast<float>(a.y)};
}

// A block for a tile of a row's time. A warp has 32 steps side by side in each of its rounds.
__device__ inline void vandermonde_forward(const VandermondeCuda& v) {
  constexpr int kLanes = kVandermondeLanes, kRounds = kVandermondeRounds;
  __shared__ VandermondeMode modes[kLanes];
  __shared__ float2 beside[kLanes][kLanes + 1];  // a mode's powers from the first lane to each
  __shared__ float2 starts[kVandermondeWarps][kLanes], rounds[kLanes];
  const int lane = threadIdx.x, warp = threadIdx.y, row = static_cast<int>(blockIdx.x);
  const int first = static_cast<int>(blockIdx.y) * kVandermondeTile + warp * kLanes * kRounds;
  float k[kRounds] = {};
  for (int group = 0; group < v.M; group += kLanes) {
    if (warp == 0) modes[lane] = vandermonde_mode(v, row, group + lane);
    __syncthreads();
    const VandermondeMode own = modes[lane];
    if (!own.grows()) starts[warp][lane] = rounded(own.value(first));
    for (int n = warp; n < kLanes; n += kVandermondeWarps) beside[lane][n] = rounded(own.power(n));
    if (warp == 0) rounds[lane] = rounded(own.power(kLanes));
    __syncthreads();
    for (int m = 0; m < min(kLanes, v.M - group); ++m) {
      if (modes[m].grows()) {
#pragma unroll 1
        for (int n = 0; n < kRounds; ++n) {
          const int t = first + n * kLanes + lane;
          const float value = t < v.length ? static_cast<float>(modes[m].value(t).x) : 0.0f;
#pragma unroll
          for (int i = 0; i < kRounds; ++i) k[i] += i == n ? value : 0.0f;
        }
        continue;
      }
      float2 value = vandermonde_product(starts[warp][m], beside[m][lane]);
      const float2 round = rounds[m];
#pragma unroll
      for (int n = 0; n < kRounds; ++n) {
        k[n] += value.x;
        value = vandermonde_product(value, round);
      }
    }
    __syncthreads();
  }
  float* const to = v.kernel + static_cast<long long>(row) * v.length;
#pragma unroll
  for (int n = 0; n < kRounds; ++n)
    if (const int t = first + n * kLanes + lane; t < v.length) to[t] = k[n];
}

// A block for a row: a lane is a mode, a warp has every eighth block of 64 steps.
__device__ inline void vandermonde_backward(const VandermondeCuda& v) {
  constexpr int kLanes = kVandermondeLanes, kWarps = kVandermondeWarps, kSteps = 2 * kLanes;
  __shared__ VandermondeMode modes[kLanes];
  __shared__ float steps[kWarps][kSteps];
  __shared__ double of_warps[kWarps][4][kLanes];
  const int lane = threadIdx.x, warp = threadIdx.y, row = static_cast<int>(blockIdx.x);
  const float* const from = v.d_kernel + static_cast<long long>(row) * v.length;
  for (int group = 0; group < v.M; group += kLanes) {
    if (warp == 0) modes[lane] = vandermonde_mode(v, row, group + lane);
    __syncthreads();
    const VandermondeMode own = modes[lane];
    const int sign = own.grows() ? -1 : 1;
    const float2 factor = rounded(own.power(sign));
    // The sums of d_k exp((t - o) z) and of d_k (t - o) exp((t - o) z).
    double sums[4] = {};
    for (int first = warp * kSteps; first < v.length; first += kWarps * kSteps) {
      const int count = min(kSteps, v.length - first);
      __syncwarp();
      for (int n = lane; n < count; n += kLanes) steps[warp][n] = from[first + n];
      __syncwarp();
      const int start = own.grows() ? count - 1 : 0;
      const double since = first + start - own.origin;
      float2 value = rounded(own.power(since)), zeroth = {}, later = {};
      for (int n = 0; n < count; ++n) {
        const float d = steps[warp][start + sign * n], d_n = d * static_cast<float>(n);
        zeroth = {fmaf(d, value.x, zeroth.x), fmaf(d, value.y, zeroth.y)};
        later = {fmaf(d_n, value.x, later.x), fmaf(d_n, value.y, later.y)};
        value = vandermonde_product(value, factor);
      }
      sums[0] += zeroth.x, sums[1] += zeroth.y;
      sums[2] += sign * static_cast<double>(later.x) + since * zeroth.x;
      sums[3] += sign * static_cast<double>(later.y) + since * zeroth.y;
    }
    for (int n = 0; n < 4; ++n) of_warps[warp][n][lane] = sums[n];
    __syncthreads();
    if (warp == 0 && group + lane < v.M) {
      for (int n = 0; n < 4; ++n)
        for (int w = 1; w < kWarps; ++w) sums[n] += of_warps[w][n][lane];
      const long long at = static_cast<long long>(row) * v.M + group + lane;
      v.d_weight[at] = sums[0];
      if (v.d_weight_imag) v.d_weight_imag[at] = -sums[1];
      v.d_log_decay[at] = own.weight * sums[2] - own.weight_imag * sums[3];
      if (v.d_angle) v.d_angle[at] = -own.weight * sums[3] - own.weight_imag * sums[2];
    }
    __syncthreads();
  }
}

}  // namespace ets

#define ETS_VANDERMONDE_KERNEL(name)                             \
  extern "C" __global__ void __launch_bounds__(256, 2)           \
      name(const __grid_constant__ ets::VandermondeCuda given) { \
    ets::name(given);                                            \
  }
#define ETS_VANDERMONDE_KERNELS()             \
  ETS_VANDERMONDE_KERNEL(vandermonde_forward) \
  ETS_VANDERMONDE_KERNEL(vandermonde_backward)
