// A sum over each block, and variants with faults that the checks must find.
#include <cooperative_groups.h>

enum Fault { kSound, kNoBarrier, kNoLastBarrier, kDivergent, kBeyond };

// Sums `count` numbers of each block, `rounds` times over: the last barrier keeps one round's sums
// from being overwritten by the next while they are still read.
template <Fault fault>
__device__ void sum(const float* numbers, float* sums, int count, int rounds) {
  __shared__ float of_warps[32];
  const int lane = threadIdx.x % 32, warp = threadIdx.x / 32;
  float total = 0;
  for (int round = 0; round < rounds; ++round) {
    float own = 0;
    for (int k = threadIdx.x; k < count + (fault == kBeyond); k += blockDim.x)
      own += numbers[size_t(blockIdx.x) * count + k];
    for (int other = 16; other > 0; other /= 2) own += __shfl_xor_sync(~0u, own, other);
    if (lane == 0) of_warps[warp] = own;
    if (fault == kDivergent) {
      if (warp < 2) __syncthreads();
    } else if (fault != kNoBarrier) {
      __syncthreads();
    }
    own = 0;
    for (int k = 0; k < blockDim.x / 32; ++k) own += of_warps[k];
    total += own;
    if (fault != kNoLastBarrier) __syncthreads();
  }
  if (threadIdx.x == 0) sums[blockIdx.x] = total;
}

#define KERNEL(name, fault)                                            \
  extern "C" __global__ void __launch_bounds__(128)                    \
      name(const float* numbers, float* sums, int count, int rounds) { \
    sum<fault>(numbers, sums, count, rounds);                          \
  }
KERNEL(sum_sound, kSound)
KERNEL(sum_no_barrier, kNoBarrier)
KERNEL(sum_no_last_barrier, kNoLastBarrier)
KERNEL(sum_divergent, kDivergent)
KERNEL(sum_beyond, kBeyond)

// Sums over tiles of 8 lanes by cooperative groups; the total by atomics of the first lanes.
extern "C" __global__ void sum_tiles(const float* numbers, float* of_tiles, double* total) {
  namespace cg = cooperative_groups;
  const auto tile = cg::tiled_partition<8>(cg::this_thread_block());
  const int k = blockIdx.x * blockDim.x + threadIdx.x;
  float own = numbers[k];
  for (int other = 4; other > 0; other /= 2) own += tile.shfl_down(own, other);
  tile.sync();
  if (tile.thread_rank() == 0) {
    of_tiles[k / 8] = own;
    atomicAdd(total, double(own));
  }
}
