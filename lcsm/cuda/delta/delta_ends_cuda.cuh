// Where time is split: how each segment changes a memory, then the memory before each segment.
//
// A segment is linear in the memory before it. Blocks of z = 0 walk over it from a memory of 0,
// blocks of z = 1 from the K x K identity and without i (backward: without d_y).
#pragma once

#include "lcsm/cuda/delta/delta_backward_cuda.cuh"
#include "lcsm/cuda/delta/delta_forward_cuda.cuh"

namespace lcsm {

__device__ inline DeltaCuda ends_of(const DeltaCuda& given) {
  DeltaCuda own = given;
  if (blockIdx.z == 1) own.chunk.D = delta_product_width(own.chunk.K), own.ends = own.products;
  own.chunk.enters = own.chunk.leaves = blockIdx.z == 1;
  return own;
}
template <class T, int K>
__device__ void delta_ends(const DeltaCuda& given) {
  delta_forward<T, K, true>(ends_of(given));
}
template <class T, int K>
__device__ void delta_starts(const DeltaCuda& given) {
  delta_backward<T, K, true>(ends_of(given));
}

// A block has all rows and a few channels of a sequence. The memories before and after a segment
// are in shared memory.
__device__ inline void delta_carry(const DeltaCarryCuda& c) {
  constexpr int kApart = kDeltaCarryThreads / kDeltaCarryChannels, kMost = kChunkSizes[2];
  __shared__ float memory[2][kMost][kDeltaCarryChannels];
  const int first = threadIdx.x / kDeltaCarryChannels, channel = threadIdx.x % kDeltaCarryChannels;
  const int d = static_cast<int>(blockIdx.x) * kDeltaCarryChannels + channel;
  const int ends = c.segments - 1, width = delta_product_width(c.K);
  const long long b = blockIdx.y, cells = static_cast<long long>(c.K) * c.D;
  for (int n = 0; n <= ends; ++n) {
    const long long end = b * ends + (c.reverse ? ends - n : n - 1);
    const float* const from = n > 0     ? c.ends + end * cells
                              : c.first ? c.first + b * cells
                                        : nullptr;
    float* const to = c.starts + (b * c.segments + (c.reverse ? ends - n : n)) * cells;
    float m[kMost / kApart];
    const auto each_row = [&](const auto& work) {
#pragma unroll
      for (int r = 0; r < kMost / kApart; ++r) work(m[r], first + r * kApart);
    };
    each_row([&](float& x, int k) { x = from && k < c.K && d < c.D ? from[k * c.D + d] : 0.0f; });
    if (n > 0)
#pragma unroll 4
      for (int j = 0; j < width; j += 4) {
        float before[4];
#pragma unroll
        for (int q = 0; q < 4; ++q) before[q] = memory[(n - 1) % 2][j + q][channel];
        each_row([&](float& x, int k) {
          if (k >= c.K) return;
          const float4 p =
              *reinterpret_cast<const float4*>(c.products + (end * c.K + k) * width + j);
          x = fmaf(p.x, before[0],
                   fmaf(p.y, before[1], fmaf(p.z, before[2], fmaf(p.w, before[3], x))));
        });
      }
    each_row([&](float& x, int k) {
      memory[n % 2][k][channel] = x;
      if (k < c.K && d < c.D) to[k * c.D + d] = x;
    });
    __syncthreads();
  }
}

}  // namespace lcsm
