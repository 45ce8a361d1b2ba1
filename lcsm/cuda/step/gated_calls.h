// Chooses the launches of a gate's activation times a value. The host side, without a driver.
#pragma once

#include <string_view>

#include "lcsm/cuda/driver/kernel_call.h"
#include "lcsm/cuda/driver/nvrtc.h"
#include "lcsm/cuda/step/gated_cuda.h"

namespace lcsm {

// By the names of model.glu.
inline constexpr std::string_view kActivations[] = {"identity", "sigmoid", "silu", "gelu", "relu"};

struct GatedWork {
  Activation activation = Activation::kIdentity;
  bool bfloat16_gate = false, bfloat16_value = false;  // else float32
  GatedCuda gated = {};
};

KernelCall gated_forward_call(const GatedWork& work);
KernelCall gated_backward_call(const GatedWork& work);

// The kernels' source for NVRTC.
CudaSource gated_source(const GatedWork& work);

}  // namespace lcsm
