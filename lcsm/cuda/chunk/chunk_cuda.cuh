// The kernels of the chunked recurrence, by type, pass and size.
#pragma once

#include "lcsm/cuda/chunk/chunk_backward_cuda.cuh"
#include "lcsm/cuda/chunk/chunk_ends_cuda.cuh"
#include "lcsm/cuda/chunk/chunk_forward_cuda.cuh"

#define LCSM_CHUNK_KERNEL(name, threads, blocks, call, Argument) \
  extern "C" __global__ void __launch_bounds__(threads, blocks)  \
      name(const __grid_constant__ lcsm::Argument given) {       \
    call(given);                                                 \
  }
#define LCSM_CHUNK_PASS(pass, Pass, size, type, T, blocks, Argument)             \
  LCSM_CHUNK_KERNEL(chunk_##pass##_##size##_##type, lcsm::kChunkThreads, blocks, \
                    (lcsm::chunk_##pass<T, size>), Argument)
// `at_ends`, `ahead`, `back`: the blocks per multiprocessor that shared memory or registers allow.
#define LCSM_CHUNK_KERNELS_OF(size, type, T, at_ends, ahead, back)    \
  LCSM_CHUNK_PASS(ends, kEnds, size, type, T, at_ends, ChunkEndsCuda) \
  LCSM_CHUNK_PASS(forward, kForward, size, type, T, ahead, ChunkCuda) \
  LCSM_CHUNK_PASS(backward, kBackward, size, type, T, back, ChunkCuda)
#define LCSM_CHUNK_KERNELS_32_float32() LCSM_CHUNK_KERNELS_OF(32, float32, float, 4, 3, 2)
#define LCSM_CHUNK_KERNELS_64_float32() LCSM_CHUNK_KERNELS_OF(64, float32, float, 3, 2, 1)
#define LCSM_CHUNK_KERNELS_128_float32() LCSM_CHUNK_KERNELS_OF(128, float32, float, 2, 1, 1)
// In bfloat16 the walk computes both passes.
#define LCSM_CHUNK_ENDS_OF(size, blocks) \
  LCSM_CHUNK_PASS(ends, kEnds, size, bfloat16, lcsm::Bfloat16, blocks, ChunkEndsCuda)
#define LCSM_CHUNK_KERNELS_32_bfloat16() LCSM_CHUNK_ENDS_OF(32, 6)
#define LCSM_CHUNK_KERNELS_64_bfloat16() LCSM_CHUNK_ENDS_OF(64, 5)
#define LCSM_CHUNK_KERNELS_128_bfloat16() LCSM_CHUNK_ENDS_OF(128, 2)
// The kernels of all sizes and types, and the ones that they share.
#define LCSM_CHUNK_KERNELS()                                                                       \
  LCSM_CHUNK_KERNELS_32_float32() LCSM_CHUNK_KERNELS_64_float32() LCSM_CHUNK_KERNELS_128_float32() \
      LCSM_CHUNK_KERNELS_32_bfloat16() LCSM_CHUNK_KERNELS_64_bfloat16()                            \
          LCSM_CHUNK_KERNELS_128_bfloat16()
#define LCSM_CHUNK_COMMON_KERNELS() \
  LCSM_CHUNK_KERNEL(chunk_carry, lcsm::kChunkThreads, 8, lcsm::chunk_carry, ChunkCarryCuda)
