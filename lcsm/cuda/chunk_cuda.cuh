// The kernels of the chunked recurrence, by type, pass and size.
#pragma once

#include "lcsm/cuda/chunk_backward_cuda.cuh"
#include "lcsm/cuda/chunk_forward_cuda.cuh"

// As many blocks of a multiprocessor as shared memory or registers allow.
#define LCSM_CHUNK_KERNEL(name, blocks, call)                               \
  extern "C" __global__ void __launch_bounds__(lcsm::kChunkThreads, blocks) \
      name(const __grid_constant__ lcsm::ChunkCuda given) {                 \
    call(given);                                                            \
  }
// The rows of kChunkSizes, with the blocks of 32, 64 and 128.
#define LCSM_CHUNK_KERNELS_OF(pass, type, T, of_32, of_64, of_128)                \
  LCSM_CHUNK_KERNEL(chunk_##pass##_32_##type, of_32, (lcsm::chunk_##pass<T, 32>)) \
  LCSM_CHUNK_KERNEL(chunk_##pass##_64_##type, of_64, (lcsm::chunk_##pass<T, 64>)) \
  LCSM_CHUNK_KERNEL(chunk_##pass##_128_##type, of_128, (lcsm::chunk_##pass<T, 128>))
#define LCSM_CHUNK_KERNELS()                                        \
  LCSM_CHUNK_KERNELS_OF(forward, float32, float, 3, 2, 1)           \
  LCSM_CHUNK_KERNELS_OF(forward, bfloat16, lcsm::Bfloat16, 4, 3, 2) \
  LCSM_CHUNK_KERNELS_OF(backward, float32, float, 2, 1, 1)          \
  LCSM_CHUNK_KERNELS_OF(backward, bfloat16, lcsm::Bfloat16, 3, 2, 1)
