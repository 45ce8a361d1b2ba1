// Operations on the steps of a sequence that several blocks use.
#pragma once

#include <string>

#include "lcsm/layer/block.h"
#include "lcsm/tensors/gated.h"

namespace runner {

// Zeroes x at padding.
at::Tensor masked(const at::Tensor& x, const at::Tensor& padding);

// Undefined at the start of a sequence.
at::Tensor state_of(const lcsm::BlockContext& context, const std::string& name);

// lcsm::short_conv or its definition.
at::Tensor convolved(lcsm::Activation f, const at::Tensor& x, const at::Tensor& weight,
                     const at::Tensor& bias, const at::Tensor& before, const lcsm::On& on);

// x projected by NAME and split into heads: [B H, T, channels / H].
at::Tensor project_heads(const lcsm::Weights& weights, const std::string& name, const at::Tensor& x,
                         std::int64_t heads);

// [B H, T, W] to [B, T, H W].
at::Tensor joined_heads(const at::Tensor& x, std::int64_t heads);

// Appends a column of ones to the values; its sum is the sum of the weights.
at::Tensor with_ones(const at::Tensor& values);

}  // namespace runner
