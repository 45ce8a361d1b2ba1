#include "lcsm/cuda/step/adam_cuda.cuh"

LCSM_ADAM_KERNELS()
