#include "lcsm/cuda/dropout_cuda.cuh"

LCSM_DROPOUT_KERNELS()
