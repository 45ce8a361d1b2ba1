// The chunked recurrence, and the kernel that adds its sums over tiles.
#include "lcsm/cuda/chunk/chunk_cuda.cuh"
#include "lcsm/cuda/chunk/walk_cuda.cuh"
#include "lcsm/cuda/scan/scan_cuda.cuh"

LCSM_CHUNK_KERNELS()
LCSM_CHUNK_COMMON_KERNELS()
LCSM_SCAN_COMMON_KERNELS()
LCSM_WALK_KERNELS()
