// A gate's activation times a value.
#pragma once

#include <ATen/core/Tensor.h>

#include <string_view>

#include "lcsm/cuda/driver/gpu_or_cpu.h"
#include "lcsm/cuda/step/gated_cuda.h"

namespace lcsm {

// Throws std::invalid_argument for a name that is not in kActivations.
Activation activation_named(std::string_view name);

at::Tensor activated(Activation activation, const at::Tensor& x);

// activated(gate) * value of equal shapes. On a GPU one pass computes it and one both gradients,
// without second derivatives, and the activation is not stored.
at::Tensor gated(Activation activation, const at::Tensor& gate, const at::Tensor& value,
                 const GpuOrCpu& gpu);

}  // namespace lcsm
