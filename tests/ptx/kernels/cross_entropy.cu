#include "lcsm/step/cross_entropy_cuda.cuh"

LCSM_CROSS_ENTROPY_KERNELS()
