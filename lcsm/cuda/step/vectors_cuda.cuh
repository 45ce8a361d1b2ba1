// 16 bytes of numbers at a time, units of numbers of any type, and sums of a block.
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

// Units of one number or of four neighbours.
__device__ inline void read_unit(const float* from, float (&x)[1]) { x[0] = *from; }
__device__ inline void read_unit(const Bfloat16* from, float (&x)[1]) { x[0] = number_of(*from); }
__device__ inline void read_unit(const float* from, float (&x)[4]) {
  Vector<float>::take(*reinterpret_cast<const uint4*>(from), x);
}
__device__ inline void read_unit(const Bfloat16* from, float (&x)[4]) {
  const uint2 bits = *reinterpret_cast<const uint2*>(from);
  x[0] = __uint_as_float(bits.x << 16), x[1] = __uint_as_float(bits.x & 0xffff0000u);
  x[2] = __uint_as_float(bits.y << 16), x[3] = __uint_as_float(bits.y & 0xffff0000u);
}
template <class T>
__device__ void write_unit(T* to, const float (&x)[1]) {
  put(to, x[0]);
}
__device__ inline void write_unit(float* to, const float (&x)[4]) {
  *reinterpret_cast<uint4*>(to) = Vector<float>::of(x);
}
__device__ inline void write_unit(Bfloat16* to, const float (&x)[4]) {
  uint2 bits;
  asm("cvt.rn.bf16x2.f32 %0, %1, %2;" : "=r"(bits.x) : "f"(x[1]), "f"(x[0]));
  asm("cvt.rn.bf16x2.f32 %0, %1, %2;" : "=r"(bits.y) : "f"(x[3]), "f"(x[2]));
  *reinterpret_cast<uint2*>(to) = bits;
}

// Calls work(first) with the first number of each of this thread's kUnits units.
template <int kThreads, int kUnits, int kUnit, class Work>
__device__ void each_unit(long long count, const Work& work) {
  const long long unit = static_cast<long long>(blockIdx.x) * kUnits * kThreads + threadIdx.x;
#pragma unroll
  for (int n = 0; n < kUnits; ++n) {
    const long long first = (unit + n * kThreads) * kUnit;
    if (first < count) work(first);
  }
}

// Adds the numbers of the threads of a block that are `lanes` apart, in a fixed order; the first
// `lanes` threads get the sums. All threads take part.
template <int kThreads, int kUnit>
__device__ void add_teams(int lanes, float (&x)[kUnit]) {
  __shared__ float of_threads[kUnit][kThreads];
#pragma unroll
  for (int u = 0; u < kUnit; ++u) of_threads[u][threadIdx.x] = x[u];
  __syncthreads();
  if (threadIdx.x < lanes)
#pragma unroll
    for (int u = 0; u < kUnit; ++u)
      for (int from = threadIdx.x + lanes; from < kThreads; from += lanes)
        x[u] += of_threads[u][from];
  __syncthreads();
}

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
