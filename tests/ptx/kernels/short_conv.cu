#include "lcsm/cuda/step/short_conv_cuda.cuh"

using enum lcsm::Activation;

LCSM_SHORT_CONV_KERNELS(silu_float32_4_4, kSilu, float, 4, 4)
LCSM_SHORT_CONV_KERNELS(silu_float32_4_1, kSilu, float, 4, 1)
LCSM_SHORT_CONV_KERNELS(silu_bfloat16_4_4, kSilu, lcsm::Bfloat16, 4, 4)
LCSM_SHORT_CONV_KERNELS(silu_bfloat16_4_1, kSilu, lcsm::Bfloat16, 4, 1)
LCSM_SHORT_CONV_KERNELS(identity_float32_1_4, kIdentity, float, 1, 4)
LCSM_SHORT_CONV_KERNELS(identity_float32_2_4, kIdentity, float, 2, 4)
LCSM_SHORT_CONV_KERNELS(sigmoid_bfloat16_3_4, kSigmoid, lcsm::Bfloat16, 3, 4)
LCSM_SHORT_CONV_KERNELS(silu_float32_8_1, kSilu, float, 8, 1)
