#include "lcsm/cuda/step/dropout_cuda.cuh"

LCSM_DROPOUT_KERNELS()
