// Causal attention of several heads: softmax(q k^T / sqrt(d / heads)) v, then a linear layer.
#pragma once

#include <ATen/core/Tensor.h>

#include "lcsm/layer/layer.h"

namespace runner {

// x [B, T, d]. Weights "qkv.weight" [3 d, d], its rows q, k, v, each head by head, "output.weight"
// [d, d], and where there are any their biases. rope: queries and keys are turned by their
// position t: channels c and c + w/2 of a head of width w by the angle t * 10000^(-2c/w).
at::Tensor causal_attention(const lcsm::Weights& weights, const at::Tensor& x, std::int64_t heads,
                            bool rope);

}  // namespace runner
