// The chunked recurrence, and what adds its sums over tiles.
#include "lcsm/cuda/chunk_cuda.cuh"
#include "lcsm/cuda/scan_cuda.cuh"

LCSM_CHUNK_32_float32();
LCSM_CHUNK_64_float32();
LCSM_CHUNK_128_float32();
LCSM_CHUNK_32_bfloat16();
LCSM_CHUNK_64_bfloat16();
LCSM_CHUNK_128_bfloat16();
LCSM_SCAN_COMMON_KERNELS()
