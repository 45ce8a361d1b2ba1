#include "lcsm/cuda/step/gated_cuda.cuh"

using enum lcsm::Activation;

LCSM_GATED_KERNELS(identity_float32_float32, kIdentity, float, float)
LCSM_GATED_KERNELS(sigmoid_float32_float32, kSigmoid, float, float)
LCSM_GATED_KERNELS(silu_float32_float32, kSilu, float, float)
LCSM_GATED_KERNELS(gelu_float32_float32, kGelu, float, float)
LCSM_GATED_KERNELS(relu_float32_float32, kRelu, float, float)
LCSM_GATED_KERNELS(silu_float32_bfloat16, kSilu, float, lcsm::Bfloat16)
LCSM_GATED_KERNELS(silu_bfloat16_float32, kSilu, lcsm::Bfloat16, float)
LCSM_GATED_KERNELS(silu_bfloat16_bfloat16, kSilu, lcsm::Bfloat16, lcsm::Bfloat16)
