#include "lcsm/cuda/step/norm_cuda.cuh"

LCSM_NORM_KERNELS(float32_float32, float, float)
LCSM_NORM_KERNELS(float32_bfloat16, float, lcsm::Bfloat16)
LCSM_NORM_KERNELS(bfloat16_float32, lcsm::Bfloat16, float)
LCSM_NORM_KERNELS(bfloat16_bfloat16, lcsm::Bfloat16, lcsm::Bfloat16)
LCSM_NORM_SUM()
