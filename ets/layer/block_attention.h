// Attention whose scores exist for one block of pairs at a time, forward and backward, so that
// memory grows with the steps. Softmax runs over the blocks of a row.
#pragma once

#include <ATen/core/Tensor.h>

#include <string>

namespace ets {

struct BlockAttention {
  std::string kind = "softmax";  // or "relu2", "laplace"
  bool causal = true;
  at::Tensor distance = {};  // [2 P - 1]: added to a score, for j - i from 1 - P on; undefined: 0
  at::Tensor padding = {};   // [N, n]: steps that are not seen; undefined: none
  bool on_gpu = false;       // where all sequences are computed at once
};

// q, k [N, n, z], values [N, n, v]: scores are q_i k_j plus the distance. If a step sees only
// padding, softmax is over the padding.
at::Tensor attended_by_blocks(const BlockAttention& form, const at::Tensor& q, const at::Tensor& k,
                              const at::Tensor& values);

}  // namespace ets
