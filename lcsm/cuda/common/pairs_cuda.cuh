// Two neighbouring channels of a thread.
#pragma once

#include "lcsm/cuda/common/math_cuda.cuh"

namespace lcsm {

// Two neighbouring numbers as they are in memory, the first in the lower bits.
template <class Number>
struct ChannelPair;
template <>
struct ChannelPair<float> {
  using Type = float2;
};
template <>
struct ChannelPair<Bfloat16> {
  using Type = unsigned;
};
__device__ inline float2 two_of(float2 pair) { return pair; }
__device__ inline float2 channels_of(float a, float b) { return {a, b}; }
__device__ inline unsigned channels_of(Bfloat16 a, Bfloat16 b) {
  return a.bits | static_cast<unsigned>(b.bits) << 16;
}
__device__ inline void put_pair(float* to, float2 x) { *reinterpret_cast<float2*>(to) = x; }
__device__ inline void put_pair(Bfloat16* to, float2 x) {
  asm("cvt.rn.bf16x2.f32 %0, %1, %2;"
      : "=r"(*reinterpret_cast<unsigned*>(to))
      : "f"(x.y), "f"(x.x));
}

}  // namespace lcsm
