// The kernels of the delta rule, by type, pass and size.
#pragma once

#include "lcsm/cuda/delta/delta_ends_cuda.cuh"
#include "lcsm/cuda/delta/delta_rows_cuda.cuh"
#include "lcsm/cuda/delta/delta_systems_cuda.cuh"
#include "lcsm/cuda/delta/delta_walk_cuda.cuh"

#define LCSM_DELTA_KERNEL(pass, size, type, T, blocks)                                \
  extern "C" __global__ void __launch_bounds__(lcsm::kChunkThreads, blocks)           \
      delta_##pass##_##size##_##type(const __grid_constant__ lcsm::DeltaCuda given) { \
    lcsm::delta_##pass<T, size>(given);                                               \
  }
// `ahead`, `back`: the blocks per multiprocessor that shared memory or registers allow.
#define LCSM_DELTA_KERNELS_OF(size, ahead, back)          \
  LCSM_DELTA_KERNEL(forward, size, float32, float, ahead) \
  LCSM_DELTA_KERNEL(backward, size, float32, float, back) \
  LCSM_DELTA_ENDS_OF(size, float32, float, ahead, back)
#define LCSM_DELTA_ENDS_OF(size, type, T, ahead, back) \
  LCSM_DELTA_KERNEL(ends, size, type, T, ahead)        \
  LCSM_DELTA_KERNEL(starts, size, type, T, back)
#define LCSM_DELTA_WALK_KERNEL(name, size, part, blocks, call)                                  \
  extern "C" __global__ void __launch_bounds__(lcsm::delta_walk_threads(lcsm::DeltaPart::part), \
                                               blocks)                                          \
      delta_##name##_##size##_bfloat16(const __grid_constant__ lcsm::DeltaWalkCuda given) {     \
    call(given);                                                                                \
  }
#define LCSM_DELTA_WALK_OF(size, by_chunk, ahead, back)                                         \
  LCSM_DELTA_WALK_KERNEL(systems, size, kSystems, by_chunk, (lcsm::delta_systems<size, false>)) \
  LCSM_DELTA_WALK_KERNEL(walk, size, kForward, ahead, lcsm::delta_walk<size>)                   \
  LCSM_DELTA_WALK_KERNEL(systems_back, size, kSystemsBack, by_chunk,                            \
                         (lcsm::delta_systems<size, true>))                                     \
  LCSM_DELTA_WALK_KERNEL(reverse, size, kReverse, ahead, lcsm::delta_reverse<size>)             \
  LCSM_DELTA_WALK_KERNEL(rows, size, kRows, back, lcsm::delta_rows<size>)
#define LCSM_DELTA_KERNELS_32_float32() LCSM_DELTA_KERNELS_OF(32, 3, 2)
#define LCSM_DELTA_KERNELS_64_float32() LCSM_DELTA_KERNELS_OF(64, 2, 1)
#define LCSM_DELTA_KERNELS_128_float32() LCSM_DELTA_KERNELS_OF(128, 1, 1)
#define LCSM_DELTA_KERNELS_32_bfloat16()                 \
  LCSM_DELTA_ENDS_OF(32, bfloat16, lcsm::Bfloat16, 4, 3) \
  LCSM_DELTA_WALK_OF(32, 4, 3, 2)
#define LCSM_DELTA_KERNELS_64_bfloat16()                 \
  LCSM_DELTA_ENDS_OF(64, bfloat16, lcsm::Bfloat16, 2, 2) \
  LCSM_DELTA_WALK_OF(64, 4, 2, 2)
#define LCSM_DELTA_KERNELS_128_bfloat16()                 \
  LCSM_DELTA_ENDS_OF(128, bfloat16, lcsm::Bfloat16, 2, 1) \
  LCSM_DELTA_WALK_OF(128, 3, 1, 1)
// The kernels of all sizes and types, and the one that they share.
#define LCSM_DELTA_KERNELS()                                                                       \
  LCSM_DELTA_KERNELS_32_float32() LCSM_DELTA_KERNELS_64_float32() LCSM_DELTA_KERNELS_128_float32() \
      LCSM_DELTA_KERNELS_32_bfloat16() LCSM_DELTA_KERNELS_64_bfloat16()                            \
          LCSM_DELTA_KERNELS_128_bfloat16()
#define LCSM_DELTA_COMMON_KERNELS()                                         \
  extern "C" __global__ void __launch_bounds__(lcsm::kDeltaCarryThreads, 2) \
      delta_carry(const __grid_constant__ lcsm::DeltaCarryCuda given) {     \
    lcsm::delta_carry(given);                                               \
  }
