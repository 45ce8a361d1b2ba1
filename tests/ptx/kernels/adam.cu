#include "lcsm/step/adam_cuda.cuh"

LCSM_ADAM_KERNELS()
