// The delta rule, and the kernel that adds its sums over tiles.
#include "lcsm/cuda/delta/delta_cuda.cuh"
#include "lcsm/cuda/scan/scan_cuda.cuh"

LCSM_DELTA_KERNELS()
LCSM_DELTA_COMMON_KERNELS()
LCSM_SCAN_COMMON_KERNELS()
