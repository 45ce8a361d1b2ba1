// A short causal convolution of each channel: y_t[d] = sum over j of w[d, j] x_(t-j)[d] + b[d].
#pragma once

#include <ATen/core/Tensor.h>

#include <cstdint>

#include "lcsm/tensors/gated.h"

namespace lcsm {

// f(y). x [B, T, D], weight [D, taps], bias [D] or undefined. `before` [B, taps - 1, D]: the inputs
// before the first, undefined = zeros. One pass under autograd, on a GPU with f and in the type of
// x; what a GPU has no kernel for is computed by the definition.
at::Tensor short_conv(Activation f, const at::Tensor& x, const at::Tensor& weight,
                      const at::Tensor& bias, const at::Tensor& before, const GpuOrCpu& gpu);

// The reference: a sum of products in tensor operations.
at::Tensor short_conv_reference(Activation f, const at::Tensor& x, const at::Tensor& weight,
                                const at::Tensor& bias, const at::Tensor& before);

// The rows that a later call needs as `before`.
at::Tensor short_conv_state(const at::Tensor& x, std::int64_t taps, const at::Tensor& before = {});

}  // namespace lcsm
