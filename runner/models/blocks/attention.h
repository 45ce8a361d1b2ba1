// Multi-head attention: softmax(q k^T / sqrt(d / heads)) v, then a linear layer.
#pragma once

#include <ATen/core/Tensor.h>

#include "lcsm/layer/block.h"

namespace runner {

// ----- Heads: [B, T, d] <-> [B, H, T, w] -----

at::Tensor heads_of(const at::Tensor& x, std::int64_t heads);
at::Tensor joined_heads(const at::Tensor& x);

struct Qkv {
  at::Tensor q, k, v;  // [B, H, T, w]
};

// Splits x by the weight "qkv.weight" [3 d, d], whose rows are q, k, v, each head by head.
Qkv qkv_of(const lcsm::Weights& weights, const at::Tensor& x, std::int64_t heads);

// x [B, H, T, w]: channels c and c + w/2 at position t are rotated by the angle t * 10000^(-2c/w).
at::Tensor rotated(const at::Tensor& x);

// ----- Pairs of queries and keys that attend -----

struct Pairs {
  at::Tensor allowed;  // of bool, broadcast to [B, H, T, S]; undefined: by the fields below
  // Both are ignored if `allowed` is defined. padding, [B, T] or undefined: only the query of its
  // own step sees a padded key, so that no row of weights is empty.
  bool causal = false;
  at::Tensor padding = {};
};

// The allowed pairs as one tensor for T positions, which broadcasts to [B, H, T, T].
at::Tensor dense_pairs(const at::Tensor& x, const at::Tensor& padding, bool bidirectional);

// [B, 1, 1, T]: hides padding, except in sequences of nothing else. Undefined without padding.
at::Tensor seen_by_others(const at::Tensor& padding);

// softmax(q k^T / sqrt(w)) v over the allowed pairs. context.drop drops weights.
at::Tensor attend(const Qkv& qkv, const Pairs& pairs, const lcsm::BlockContext& context);

// Sets x, [B, T, d] or [B, H, T, w], to zero at padding.
at::Tensor without_padding(const at::Tensor& x, const at::Tensor& padding);
at::Tensor heads_without_padding(const at::Tensor& x, const at::Tensor& padding);

// ----- The layer -----

struct AttentionForm {
  std::int64_t heads = 1;
  bool rope = false, bidirectional = false;
};

// Weights "qkv.weight", "output.weight" [d, d], and optionally their biases.
at::Tensor attention(const lcsm::Weights& weights, const at::Tensor& x, const AttentionForm& form,
                     const lcsm::BlockContext& context = {});

}  // namespace runner
