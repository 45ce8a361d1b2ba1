// What a long convolution does around its transforms.
#pragma once

#include "ets/cuda/fft_conv_cuda.h"
#include "lcsm/cuda/scan/scan_tile_cuda.cuh"

namespace ets {

__device__ inline long long fft_conv_stride(const FftConvCuda& c) { return c.points + kFftConvPad; }

struct FftConvTile {
  const int lane, warp, b, first_d, first_t;

  __device__ FftConvTile()
      : lane(threadIdx.x),
        warp(threadIdx.y),
        b(blockIdx.z),
        first_d(static_cast<int>(blockIdx.x) * kFftConvTile),
        first_t(static_cast<int>(blockIdx.y) * kFftConvTile) {}

  __device__ bool is_padded(const FftConvCuda& c, int t) const {
    return c.padding && c.padding[static_cast<long long>(b) * c.T + t] != 0;
  }
  // Of step `warp + n` and channel `lane`, and of step `lane` and channel `warp + n`.
  __device__ long long in_steps(const FftConvCuda& c, int n) const {
    return (static_cast<long long>(b) * c.T + first_t + warp + n) * c.D + first_d + lane;
  }
  __device__ long long in_rows(const FftConvCuda& c, int n) const {
    return (static_cast<long long>(b) * c.D + first_d + warp + n) * fft_conv_stride(c) + first_t +
           lane;
  }
};

// [B, T, D] into rows, 0 from step T on.
template <class T>
__device__ void fft_conv_pack(const FftConvCuda& c) {
  __shared__ float tile[kFftConvTile][kFftConvTile + 1];
  const FftConvTile at;
  for (int n = 0; n < kFftConvTile; n += kFftConvWarps) {
    const int t = at.first_t + at.warp + n;
    float x = 0;
    if (t < c.T && at.first_d + at.lane < c.D && !at.is_padded(c, t))
      x = lcsm::number_of(static_cast<const T*>(c.from)[at.in_steps(c, n)]);
    tile[at.warp + n][at.lane] = x;
  }
  __syncthreads();
  for (int n = 0; n < kFftConvTile; n += kFftConvWarps)
    if (at.first_t + at.lane < c.points && at.first_d + at.warp + n < c.D)
      c.rows[at.in_rows(c, n)] = tile[at.lane][at.warp + n];
}

// The first T steps of rows into [B, T, D].
template <class T>
__device__ void fft_conv_unpack(const FftConvCuda& c) {
  __shared__ float tile[kFftConvTile][kFftConvTile + 1];
  const FftConvTile at;
  for (int n = 0; n < kFftConvTile; n += kFftConvWarps)
    if (at.first_t + at.lane < c.T && at.first_d + at.warp + n < c.D)
      tile[at.lane][at.warp + n] = c.rows[at.in_rows(c, n)];
  __syncthreads();
  for (int n = 0; n < kFftConvTile; n += kFftConvWarps) {
    const int t = at.first_t + at.warp + n;
    if (t < c.T && at.first_d + at.lane < c.D)
      lcsm::put(static_cast<T*>(c.to) + at.in_steps(c, n),
                at.is_padded(c, t) ? 0.0f : tile[at.warp + n][at.lane]);
  }
}

// Where a tap of the second direction is: it looks ahead, around the end.
__device__ inline int fft_conv_place(const FftConvCuda& c, int tap) {
  const int ahead = tap + c.lag;
  return ahead == 0 ? 0 : c.points - ahead;
}
// Taps that meet an input, of each direction.
__device__ inline int fft_conv_taps_of(const FftConvCuda& c, int direction) {
  return min(c.K, direction == 0 ? c.T : c.T - c.lag);
}

// The taps of a channel into its row.
__device__ inline void fft_conv_pack_taps(const FftConvCuda& c) {
  const int t = static_cast<int>(blockIdx.y) * kFftConvThreads + static_cast<int>(threadIdx.x);
  const int d = static_cast<int>(blockIdx.x), ahead = (t == 0 ? 0 : c.points - t) - c.lag;
  if (t >= c.points) return;
  float tap = t < fft_conv_taps_of(c, 0) ? c.taps[static_cast<long long>(d) * c.K + t] : 0.0f;
  if (c.directions == 2 && ahead >= 0 && ahead < fft_conv_taps_of(c, 1))
    tap += c.taps[(static_cast<long long>(c.D) + d) * c.K + ahead];
  c.channel_rows[d * fft_conv_stride(c) + t] = tap;
}

// The gradients of the taps from its row.
__device__ inline void fft_conv_unpack_taps(const FftConvCuda& c) {
  const int tap = static_cast<int>(blockIdx.y) * kFftConvThreads + static_cast<int>(threadIdx.x);
  const int d = static_cast<int>(blockIdx.x);
  if (tap >= c.K) return;
  const float* const row = c.channel_rows + d * fft_conv_stride(c);
  for (int g = 0; g < c.directions; ++g) {
    const bool met = tap < fft_conv_taps_of(c, g);
    c.d_taps[(static_cast<long long>(g) * c.D + d) * c.K + tap] =
        met ? row[g == 0 ? tap : fft_conv_place(c, tap)] : 0.0f;
  }
}

__device__ inline float2 fft_conv_product(float2 a, float2 b) {
  return {fmaf(a.x, b.x, -a.y * b.y), fmaf(a.x, b.y, a.y * b.x)};
}

// A thread for each frequency of a channel, in all sequences.
template <bool kBackward>
__device__ void fft_conv_multiply(const FftConvCuda& c) {
  const int f = static_cast<int>(blockIdx.y) * kFftConvThreads + static_cast<int>(threadIdx.x);
  const long long d = blockIdx.x, stride = fft_conv_stride(c) / 2;
  if (f > c.points / 2) return;
  float2& kernel = reinterpret_cast<float2*>(c.channel_rows)[d * stride + f];
  const float scale = 1.0f / static_cast<float>(c.points);
  const float2 scaled = {scale * kernel.x, kBackward ? -scale * kernel.y : scale * kernel.y};
  float2 sum = {};
  for (int b = 0; b < c.B; ++b) {
    const long long at = (static_cast<long long>(b) * c.D + d) * stride + f;
    float2& x = reinterpret_cast<float2*>(c.rows)[at];
    if (kBackward) {
      const float2 d_y = reinterpret_cast<const float2*>(c.gradient_rows)[at];
      const float2 both = fft_conv_product({x.x, -x.y}, d_y);
      sum = {sum.x + both.x, sum.y + both.y};
      x = fft_conv_product(scaled, d_y);
    } else {
      x = fft_conv_product(scaled, x);
    }
  }
  if (kBackward) kernel = {scale * sum.x, scale * sum.y};
}

}  // namespace ets

#define ETS_FFT_CONV_KERNEL(name, call)                              \
  extern "C" __global__ void __launch_bounds__(ets::kFftConvThreads) \
      name(const __grid_constant__ ets::FftConvCuda given) {         \
    call(given);                                                     \
  }
#define ETS_FFT_CONV_KERNELS()                                                        \
  ETS_FFT_CONV_KERNEL(fft_conv_pack_float32, ets::fft_conv_pack<float>)               \
  ETS_FFT_CONV_KERNEL(fft_conv_pack_bfloat16, ets::fft_conv_pack<lcsm::Bfloat16>)     \
  ETS_FFT_CONV_KERNEL(fft_conv_unpack_float32, ets::fft_conv_unpack<float>)           \
  ETS_FFT_CONV_KERNEL(fft_conv_unpack_bfloat16, ets::fft_conv_unpack<lcsm::Bfloat16>) \
  ETS_FFT_CONV_KERNEL(fft_conv_pack_taps, ets::fft_conv_pack_taps)                    \
  ETS_FFT_CONV_KERNEL(fft_conv_unpack_taps, ets::fft_conv_unpack_taps)                \
  ETS_FFT_CONV_KERNEL(fft_conv_multiply_forward, ets::fft_conv_multiply<false>)       \
  ETS_FFT_CONV_KERNEL(fft_conv_multiply_backward, ets::fft_conv_multiply<true>)
