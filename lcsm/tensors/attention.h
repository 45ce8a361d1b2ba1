// Softmax attention. For float32 on a CPU attention_cpu.h computes it; everything else (other
// types, devices, autocast) is LibTorch's.
#pragma once

#include <ATen/core/Tensor.h>

#include <cstdint>

namespace lcsm {

// softmax(q k^T / sqrt(w)) v: q [B, H, T, w], k, v [B, H, S, w] -> [B, H, T, w], of any strides.
// Causal, with T = S: each query sees the keys up to its own step. padding: bool [B, T], with T =
// S, or undefined: where it is true, only the query of the key's own step sees the key.
at::Tensor softmax_attention(const at::Tensor& q, const at::Tensor& k, const at::Tensor& v,
                             bool causal, const at::Tensor& padding = {});

// The mask of this attention: true where a query (row) sees a key. bool, [T, T] or with padding [B,
// 1, T, T].
at::Tensor seen_pairs(std::int64_t T, bool causal, const at::Tensor& padding,
                      const at::TensorOptions& options);

}  // namespace lcsm
