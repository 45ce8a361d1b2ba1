#pragma once

#include "lcsm/cuda/scan/scan_tile_cuda.cuh"
#include "lcsm/cuda/step/dropout_cuda.h"

namespace lcsm {

// The same as in lcsm/base/philox.h.
__device__ inline uint4 philox(uint4 c, unsigned key_0, unsigned key_1) {
#pragma unroll
  for (int round = 0; round < 10; ++round) {
    c = {__umulhi(0xCD9E8D57, c.z) ^ c.y ^ key_0, 0xCD9E8D57 * c.z,
         __umulhi(0xD2511F53, c.x) ^ c.w ^ key_1, 0xD2511F53 * c.x};
    key_0 += 0x9E3779B9;
    key_1 += 0xBB67AE85;
  }
  return c;
}

template <class T>
__device__ void drop(const DropoutCuda& d, unsigned words, T* x, int n) {
  const unsigned level = words >> (n % 2 * 16) & 0xffff;
  put(x, level < d.below ? 0.0f : number_of(*x) * d.scale);
}

// Neighbouring lanes read and write neighbouring 16 bytes. In bfloat16 these are the eight elements
// of a lane's own bits; in float32 they are the lower or upper four of another lane's eight.
__device__ inline void drop_warp(const DropoutCuda& d, uint4 bits, const Bfloat16* from,
                                 Bfloat16* to) {
  union {
    uint4 whole;
    Bfloat16 each[8];
  } x;
  x.whole = reinterpret_cast<const uint4*>(from)[threadIdx.x % 32];
  const unsigned words[] = {bits.x, bits.y, bits.z, bits.w};
#pragma unroll
  for (int n = 0; n < 8; ++n) drop(d, words[n / 2], x.each + n, n);
  reinterpret_cast<uint4*>(to)[threadIdx.x % 32] = x.whole;
}
__device__ inline void drop_warp(const DropoutCuda& d, uint4 bits, const float* from, float* to) {
  const unsigned lane = threadIdx.x % 32;
#pragma unroll
  for (int half = 0; half < 2; ++half) {
    float4 x = reinterpret_cast<const float4*>(from)[half * 32 + lane];
    const int owner = static_cast<int>(half * 16 + lane / 2);
    const unsigned words[] = {__shfl_sync(~0u, bits.x, owner), __shfl_sync(~0u, bits.y, owner),
                              __shfl_sync(~0u, bits.z, owner), __shfl_sync(~0u, bits.w, owner)};
    const unsigned first = lane % 2 == 0 ? words[0] : words[2];
    const unsigned second = lane % 2 == 0 ? words[1] : words[3];
    drop(d, first, &x.x, 0);
    drop(d, first, &x.y, 1);
    drop(d, second, &x.z, 0);
    drop(d, second, &x.w, 1);
    reinterpret_cast<float4*>(to)[half * 32 + lane] = x;
  }
}

template <class T>
__device__ void dropout(const DropoutCuda& d) {
  const long long eight = static_cast<long long>(blockIdx.x) * kDropoutThreads + threadIdx.x;
  const long long of_warp = (eight - threadIdx.x % 32) * kDropoutPlaces;
  const long long first = eight * kDropoutPlaces;
  const bool whole = d.aligned && d.count - of_warp >= 32 * kDropoutPlaces;
  const long long step = *d.step;
  const uint4 bits = philox({static_cast<unsigned>(eight), d.call, static_cast<unsigned>(step),
                             static_cast<unsigned>(step >> 32)},
                            d.key[0], d.key[1]);
  const T* const from = static_cast<const T*>(d.x);
  T* const to = static_cast<T*>(d.out);
  if (whole) return drop_warp(d, bits, from + of_warp, to + of_warp);
  const unsigned words[] = {bits.x, bits.y, bits.z, bits.w};
#pragma unroll
  for (int n = 0; n < kDropoutPlaces; ++n) {
    if (first + n >= d.count) return;
    T x = from[first + n];
    drop(d, words[n / 2], &x, n);
    to[first + n] = x;
  }
}

}  // namespace lcsm

#define LCSM_DROPOUT_KERNEL(type, T)                                    \
  extern "C" __global__ void __launch_bounds__(lcsm::kDropoutThreads)   \
      dropout_##type(const __grid_constant__ lcsm::DropoutCuda given) { \
    lcsm::dropout<T>(given);                                            \
  }
#define LCSM_DROPOUT_KERNELS()        \
  LCSM_DROPOUT_KERNEL(float32, float) \
  LCSM_DROPOUT_KERNEL(bfloat16, lcsm::Bfloat16)
