#include "lcsm/cuda/step/cross_entropy_cuda.cuh"

LCSM_CROSS_ENTROPY_KERNELS()
