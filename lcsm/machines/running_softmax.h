// o_t = S_{t-1} / S_t with S_t = sum_{u<=t} exp(z_u), as logarithms.
#pragma once

#include <ATen/core/Tensor.h>

#include <utility>

namespace lcsm {

// z [B, T, N]; log_sum [B, N] of the steps before, undefined = none. Returns log o [B, T, N]
// (-infinity at the very start) and log_sum after the last step; under autograd.
std::pair<at::Tensor, at::Tensor> running_softmax(const at::Tensor& z, const at::Tensor& log_sum);

// The same in LibTorch's operations, on any device.
std::pair<at::Tensor, at::Tensor> running_softmax_anywhere(const at::Tensor& z,
                                                           const at::Tensor& log_sum);

}  // namespace lcsm
