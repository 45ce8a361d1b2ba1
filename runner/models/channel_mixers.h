// Channel mixers, which follow the mixer and see one token at a time: x [..., d] -> [..., d].
#pragma once

#include <ATen/core/Tensor.h>

#include <string>

#include "lcsm/layer/layer.h"

namespace runner {

// W_output (act(W_gate x) * W_value x); act: a choice of model.glu.
at::Tensor glu(const lcsm::Weights& weights, const std::string& activation, const at::Tensor& x);

// W_down gelu(W_up x + b_up) + b_down
at::Tensor mlp(const lcsm::Weights& weights, const at::Tensor& x);

}  // namespace runner
