// Multi-head attention: softmax(q k^T / sqrt(d / heads)) v, then a linear layer.
#pragma once

#include <ATen/core/Tensor.h>

#include "lcsm/layer/layer.h"

namespace runner {

// x [B, T, d]. Weights "qkv.weight" [3 d, d], whose rows are q, k, v, each head by head,
// "output.weight" [d, d], and optionally their biases. rope: queries and keys at position t are
// rotated: channels c and c + w/2 of a head of width w by the angle t * 10000^(-2c/w).
at::Tensor causal_attention(const lcsm::Weights& weights, const at::Tensor& x, std::int64_t heads,
                            bool rope);

// The same of all positions but those of `padding`, [B, T] of bool; undefined: none.
at::Tensor two_sided_attention(const lcsm::Weights& weights, const at::Tensor& x,
                               std::int64_t heads, bool rope, const at::Tensor& padding);

}  // namespace runner
