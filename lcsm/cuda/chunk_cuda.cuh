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
#define LCSM_CHUNK_PASSES(size, type, T, blocks_forward, blocks_backward)                          \
  LCSM_CHUNK_KERNEL(chunk_forward_##size##_##type, blocks_forward, (lcsm::chunk_forward<T, size>)) \
  LCSM_CHUNK_KERNEL(chunk_backward_##size##_##type, blocks_backward,                               \
                    (lcsm::chunk_backward<T, size>))
// By rows of kChunkSizes and type.
#define LCSM_CHUNK_32_float32() LCSM_CHUNK_PASSES(32, float32, float, 3, 2)
#define LCSM_CHUNK_64_float32() LCSM_CHUNK_PASSES(64, float32, float, 2, 1)
#define LCSM_CHUNK_128_float32() LCSM_CHUNK_PASSES(128, float32, float, 1, 1)
#define LCSM_CHUNK_32_bfloat16() LCSM_CHUNK_PASSES(32, bfloat16, lcsm::Bfloat16, 4, 3)
#define LCSM_CHUNK_64_bfloat16() LCSM_CHUNK_PASSES(64, bfloat16, lcsm::Bfloat16, 3, 2)
#define LCSM_CHUNK_128_bfloat16() LCSM_CHUNK_PASSES(128, bfloat16, lcsm::Bfloat16, 2, 1)
