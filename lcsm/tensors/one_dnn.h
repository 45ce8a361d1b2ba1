// The products of oneDNN, which LibTorch contains.
#pragma once

#include <ATen/core/Tensor.h>

#include <optional>

namespace lcsm {

bool has_one_dnn();  // false in a LibTorch built without it

// x W^T + bias without gradients, float32 on a CPU; x [M, K], W [N, K].
at::Tensor one_dnn_linear(const at::Tensor& x, const at::Tensor& weight,
                          const std::optional<at::Tensor>& bias);

}  // namespace lcsm
