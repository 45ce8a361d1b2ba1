// Channel mixers, which follow the token mixer and act on each token separately: x [..., d] ->
// [..., d].
#pragma once

#include <ATen/core/Tensor.h>

#include <functional>

#include "lcsm/layer/layer.h"

namespace runner {

// W_output (act(W_gate x) * W_value x); act: identity, silu, sigmoid,
// gelu or relu.
at::Tensor glu(const lcsm::Weights& weights, std::string_view activation, const at::Tensor& x,
               const lcsm::GpuOrCpu& gpu = nullptr);

// W_down drop(act(W_up x + b_up)) + b_down; drop: dropout, or empty.
at::Tensor mlp(const lcsm::Weights& weights, const at::Tensor& x,
               std::string_view activation = "gelu",
               const std::function<at::Tensor(const at::Tensor&)>& drop = {});

}  // namespace runner
