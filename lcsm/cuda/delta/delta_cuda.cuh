// The kernels of the delta rule, by type, pass and size.
#pragma once

#include "lcsm/cuda/delta/delta_ends_cuda.cuh"

#define LCSM_DELTA_KERNEL(pass, size, type, T, blocks)                                \
  extern "C" __global__ void __launch_bounds__(lcsm::kChunkThreads, blocks)           \
      delta_##pass##_##size##_##type(const __grid_constant__ lcsm::DeltaCuda given) { \
    lcsm::delta_##pass<T, size>(given);                                               \
  }
// As many blocks of a multiprocessor as shared memory or registers allow.
#define LCSM_DELTA_KERNELS_OF(size, type, T, ahead, back) \
  LCSM_DELTA_KERNEL(forward, size, type, T, ahead)        \
  LCSM_DELTA_KERNEL(backward, size, type, T, back)        \
  LCSM_DELTA_KERNEL(ends, size, type, T, ahead)           \
  LCSM_DELTA_KERNEL(starts, size, type, T, back)
#define LCSM_DELTA_KERNELS_32_float32() LCSM_DELTA_KERNELS_OF(32, float32, float, 3, 2)
#define LCSM_DELTA_KERNELS_64_float32() LCSM_DELTA_KERNELS_OF(64, float32, float, 2, 1)
#define LCSM_DELTA_KERNELS_128_float32() LCSM_DELTA_KERNELS_OF(128, float32, float, 1, 1)
#define LCSM_DELTA_KERNELS_32_bfloat16() LCSM_DELTA_KERNELS_OF(32, bfloat16, lcsm::Bfloat16, 4, 3)
#define LCSM_DELTA_KERNELS_64_bfloat16() LCSM_DELTA_KERNELS_OF(64, bfloat16, lcsm::Bfloat16, 2, 2)
#define LCSM_DELTA_KERNELS_128_bfloat16() LCSM_DELTA_KERNELS_OF(128, bfloat16, lcsm::Bfloat16, 2, 1)
// Of all sizes and types, and what all have in common.
#define LCSM_DELTA_KERNELS()                                                                       \
  LCSM_DELTA_KERNELS_32_float32() LCSM_DELTA_KERNELS_64_float32() LCSM_DELTA_KERNELS_128_float32() \
      LCSM_DELTA_KERNELS_32_bfloat16() LCSM_DELTA_KERNELS_64_bfloat16()                            \
          LCSM_DELTA_KERNELS_128_bfloat16()
#define LCSM_DELTA_COMMON_KERNELS()                                         \
  extern "C" __global__ void __launch_bounds__(lcsm::kDeltaCarryThreads, 2) \
      delta_carry(const __grid_constant__ lcsm::DeltaCarryCuda given) {     \
    lcsm::delta_carry(given);                                               \
  }
