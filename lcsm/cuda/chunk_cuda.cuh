// The kernels of the chunked recurrence, by type, pass and size.
#pragma once

#include "lcsm/cuda/chunk_backward_cuda.cuh"
#include "lcsm/cuda/chunk_forward_cuda.cuh"

#define LCSM_CHUNK_KERNEL(name, call)                               \
  extern "C" __global__ void __launch_bounds__(lcsm::kChunkThreads) \
      name(const __grid_constant__ lcsm::ChunkCuda given) {         \
    call(given);                                                    \
  }
// The sizes of kChunkSizes.
#define LCSM_CHUNK_KERNELS_OF(pass, type, T)                                   \
  LCSM_CHUNK_KERNEL(chunk_##pass##_32_##type, (lcsm::chunk_##pass<T, 32, 32>)) \
  LCSM_CHUNK_KERNEL(chunk_##pass##_64_##type, (lcsm::chunk_##pass<T, 64, 64>)) \
  LCSM_CHUNK_KERNEL(chunk_##pass##_128_##type, (lcsm::chunk_##pass<T, 128, 32>))
#define LCSM_CHUNK_KERNELS()                               \
  LCSM_CHUNK_KERNELS_OF(forward, float32, float)           \
  LCSM_CHUNK_KERNELS_OF(forward, bfloat16, lcsm::Bfloat16) \
  LCSM_CHUNK_KERNELS_OF(backward, float32, float)          \
  LCSM_CHUNK_KERNELS_OF(backward, bfloat16, lcsm::Bfloat16)
