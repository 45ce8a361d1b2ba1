// Softmax attention. For float32 on a CPU attention_cpu.h computes it; everything else (other
// types, devices, autocast) is LibTorch's.
#pragma once

#include <ATen/core/Tensor.h>

namespace lcsm {

// softmax(q k^T / sqrt(w)) v: q [B, H, T, w], k, v [B, H, S, w] -> [B, H, T, w], of any strides.
// Causal, with T = S: each query sees the keys up to its own step.
at::Tensor softmax_attention(const at::Tensor& q, const at::Tensor& k, const at::Tensor& v,
                             bool causal);

}  // namespace lcsm
