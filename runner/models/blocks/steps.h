// What blocks do with the steps of a sequence.
#pragma once

#include <string>

#include "ets/layer/layer.h"
#include "lcsm/layer/layer.h"

namespace runner {

// Zeros where there is padding.
at::Tensor masked(const at::Tensor& x, const at::Tensor& padding);

// Undefined where the sequence starts.
at::Tensor state_of(const ets::Context& context, const std::string& name);

// lcsm::short_conv or its definition.
at::Tensor convolved(ets::Machine machine, const at::Tensor& x, const at::Tensor& weight,
                     const at::Tensor& bias, const at::Tensor& before);

// x by NAME, its channels in heads: [B H, T, channels / H].
at::Tensor project_heads(const lcsm::Weights& weights, const std::string& name, const at::Tensor& x,
                         std::int64_t heads);

// [B H, T, W] to [B, T, H W].
at::Tensor joined_heads(const at::Tensor& x, std::int64_t heads);

// A column of ones beside the values, whose sum is that of the weights.
at::Tensor with_ones(const at::Tensor& values);

}  // namespace runner
