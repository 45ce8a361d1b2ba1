// 16 bytes of numbers at a time, and sums of a block.
#pragma once

#include "lcsm/cuda/common/math_cuda.cuh"

namespace lcsm {

template <class T>
struct Vector;

template <>
struct Vector<float> {
  static constexpr int kNumbers = 4;
  __device__ static void take(uint4 bits, float (&x)[kNumbers]) {
    x[0] = __uint_as_float(bits.x), x[1] = __uint_as_float(bits.y);
    x[2] = __uint_as_float(bits.z), x[3] = __uint_as_float(bits.w);
  }
  __device__ static uint4 of(const float (&x)[kNumbers]) {
    return {__float_as_uint(x[0]), __float_as_uint(x[1]), __float_as_uint(x[2]),
            __float_as_uint(x[3])};
  }
};

template <>
struct Vector<Bfloat16> {
  static constexpr int kNumbers = 8;
  __device__ static void take(uint4 bits, float (&x)[kNumbers]) {
    const unsigned words[] = {bits.x, bits.y, bits.z, bits.w};
#pragma unroll
    for (int n = 0; n < 4; ++n) {
      x[2 * n] = __uint_as_float(words[n] << 16);
      x[2 * n + 1] = __uint_as_float(words[n] & 0xffff0000u);
    }
  }
  __device__ static uint4 of(const float (&x)[kNumbers]) {
    unsigned words[4];
#pragma unroll
    for (int n = 0; n < 4; ++n)
      asm("cvt.rn.bf16x2.f32 %0, %1, %2;" : "=r"(words[n]) : "f"(x[2 * n + 1]), "f"(x[2 * n]));
    return {words[0], words[1], words[2], words[3]};
  }
};

// The sum over all threads of a block of at most 1024, in a fixed order; thread 0 gets it. Each sum
// needs its own `parts`.
__device__ inline double block_sum(double x, double (&parts)[32]) {
  const int lane = threadIdx.x % 32, warp = threadIdx.x / 32;
  for (int by = 16; by > 0; by /= 2) x += __shfl_down_sync(~0u, x, by);
  if (lane == 0) parts[warp] = x;
  __syncthreads();
  x = lane < blockDim.x / 32 ? parts[lane] : 0;
  for (int by = 16; by > 0; by /= 2) x += __shfl_down_sync(~0u, x, by);
  return x;
}

}  // namespace lcsm
