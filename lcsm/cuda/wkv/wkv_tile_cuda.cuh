// A block's tile of time: sums of weights, the steps of a thread, what goes from warp to warp.
#pragma once

#include "lcsm/cuda/common/math_cuda.cuh"
#include "lcsm/cuda/wkv/wkv_cuda.h"

namespace lcsm {

// exp(-|x|). Small values may be flushed to 0: they are added to a 1.
__device__ inline float wkv_lesser(float x) {
  float lesser;
  asm("ex2.approx.ftz.f32 %0, %1;" : "=f"(lesser) : "f"(-1.44269504f * fabsf(x)));
  return lesser;
}

// a / b, for b >= 1.
__device__ inline float wkv_over(float a, float b) {
  float result;
  asm("div.approx.ftz.f32 %0, %1, %2;" : "=f"(result) : "f"(a), "f"(b));
  return result;
}

// Two weights, divided by the larger; x is the logarithm of their ratio.
struct WkvShares {
  float first, second;
  __device__ explicit WkvShares(float x) {
    const float lesser = wkv_lesser(x);
    first = x >= 0.0f ? 1.0f : lesser;
    second = x >= 0.0f ? lesser : 1.0f;
  }
};

// Sums of weights times v and of weights, both over e^most: `below` is at least 1.
struct WkvSums {
  float above, below, most;

  // Its weight beside any other is 0.
  __device__ static WkvSums none() { return of(0.0f, -1e38f); }
  __device__ static WkvSums of(float mean, float log_sum) { return {mean, 1.0f, log_sum}; }
  __device__ WkvSums after(float decay) const { return {above, below, most - decay}; }
  __device__ WkvSums with(const WkvSums& other) const {
    const WkvShares by(most - other.most);
    return {fmaf(by.first, above, by.second * other.above),
            fmaf(by.first, below, by.second * other.below), fmaxf(most, other.most)};
  }
  __device__ float mean() const { return wkv_over(above, below); }
  __device__ float log_sum() const { return most + logf(below); }
};

using WkvRow = float[kWkvSteps];  // the steps of a thread

// step(i) for each, in either order.
template <bool kBack, class Step>
__device__ void wkv_in_order(const Step& step) {
#pragma unroll
  for (int n = 0; n < kWkvSteps; ++n) step(kBack ? kWkvSteps - 1 - n : n);
}

// A value, a struct of floats, for each channel of each warp. There are two sets, of even and of
// odd tiles: warps that are ahead write one while others still read the other.
template <class Value>
struct WkvOfWarps {
  static constexpr int kNumbers = sizeof(Value) / sizeof(float);
  float numbers[2][kWkvWarps][kNumbers][kWkvLanes];

  __device__ void put(int turn, const Value& value) {
#pragma unroll
    for (int n = 0; n < kNumbers; ++n)
      numbers[turn & 1][threadIdx.y][n][threadIdx.x] = reinterpret_cast<const float*>(&value)[n];
  }
  __device__ Value get(int turn, int warp) const {
    Value value;
#pragma unroll
    for (int n = 0; n < kNumbers; ++n)
      reinterpret_cast<float*>(&value)[n] = numbers[turn & 1][warp][n][threadIdx.x];
    return value;
  }
};

template <class T>
struct WkvTile {
  const WkvCuda& s;
  const int lane, warp, b, d;
  const bool inside;
  const int segment, segments;
  const int tiles, first, last;
  const float w, u;

  __device__ explicit WkvTile(const WkvCuda& wkv)
      : s(wkv),
        lane(threadIdx.x),
        warp(threadIdx.y),
        b(blockIdx.z),
        d(static_cast<int>(blockIdx.x) * kWkvLanes + lane),
        inside(d < wkv.D),
        segment(blockIdx.y),
        segments(gridDim.y),
        tiles(wkv_tiles(wkv.T)),
        first(segment * wkv.segment),
        last(min(tiles, first + wkv.segment)),
        w(inside ? wkv.w[d] : 0.0f),
        u(inside ? wkv.u[d] : 0.0f) {}

  // ----- Steps -----
  __device__ int steps(int tile, int of_warp) const {
    return min(max(s.T - tile * kWkvTile - of_warp * kWkvSteps, 0), kWkvSteps);
  }
  __device__ T* row(const void* of, int tile) const {
    const long long step = static_cast<long long>(b) * s.T + tile * kWkvTile + warp * kWkvSteps;
    return static_cast<T*>(const_cast<void*>(of)) + step * s.D + d;
  }
  // Volatile, so that offsets of steps are computed for each access and not kept in registers,
  // which would spill.
  __device__ int stride() const {
    int D;
    asm volatile("mov.s32 %0, %1;" : "=r"(D) : "r"(s.D));
    return D;
  }
  // Starts loading a tile's numbers, without waiting for them; 0 beyond the last step.
  __device__ void fetch(const void* from, int tile, T (&x)[kWkvSteps]) const {
    const T* const first = row(from, tile);
    const int count = inside ? steps(tile, warp) : 0, D = stride();
#pragma unroll
    for (int i = 0; i < kWkvSteps; ++i) x[i] = i < count ? first[i * D] : T{};
  }
  // Keys: no weight beyond the last step.
  __device__ static void widen(const T (&x)[kWkvSteps], int count, WkvRow& k) {
    widen(x, k);
    if (count == kWkvSteps) return;
#pragma unroll
    for (int i = 0; i < kWkvSteps; ++i)
      if (i >= count) k[i] = WkvSums::none().most;
  }
  __device__ static void widen(const T (&x)[kWkvSteps], WkvRow& to) {
#pragma unroll
    for (int i = 0; i < kWkvSteps; ++i) to[i] = number_of(x[i]);
  }

  // ----- Numbers of a channel -----
  // A number of [B, D]; null = 0.
  __device__ float of_sequence(const float* from) const {
    return from && inside ? from[static_cast<long long>(b) * s.D + d] : 0.0f;
  }
  __device__ void put_sequence(float* to, float x) const {
    if (to && inside) to[static_cast<long long>(b) * s.D + d] = x;
  }
  // A value in [B, segments, numbers of a value, D].
  template <class Value>
  __device__ float* of_segment(float* from, int n) const {
    return from + (static_cast<long long>(b) * segments + n) * WkvOfWarps<Value>::kNumbers * s.D +
           d;
  }
  template <class Value>
  __device__ Value get_segment(const float* from, int n) const {
    Value value = {};
#pragma unroll
    for (int i = 0; i < WkvOfWarps<Value>::kNumbers; ++i)
      if (inside)
        reinterpret_cast<float*>(&value)[i] =
            of_segment<Value>(const_cast<float*>(from), n)[i * s.D];
    return value;
  }
  template <class Value>
  __device__ void put_segment(float* to, const Value& value) const {
#pragma unroll
    for (int i = 0; i < WkvOfWarps<Value>::kNumbers; ++i)
      if (inside)
        of_segment<Value>(to, segment)[i * s.D] = reinterpret_cast<const float*>(&value)[i];
  }
  // Mean and log_sum before this warp's steps of a tile.
  __device__ float* kept(int tile) const {
    const long long part = static_cast<long long>(b) * wkv_parts(s.T) + tile * kWkvWarps + warp;
    return s.kept + 2 * part * s.D + d;
  }
};

}  // namespace lcsm
