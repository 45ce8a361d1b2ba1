// Linformer (Wang et al. 2020): softmax(Q (E K)^T / sqrt(w)) (F V), E and F [p, length], shared by
// all heads (the paper's headwise sharing). Padding, and the steps between a shorter sequence and
// `length`, count as zeros: only the first T columns act.
#include <ATen/ops/matmul.h>

#include "lcsm/layer/block.h"
#include "runner/models/blocks/attention.h"
#include "runner/systems/attention.h"
#include "runner/systems/efficient_attention.h"

namespace runner {

using at::Tensor;

lcsm::BlockResult Linformer::forward(const lcsm::Weights& weights, const at::Tensor& x,
                                     const lcsm::BlockContext& context) const {
  const std::int64_t T = x.size(1);
  check_length(kName, length, T);
  Qkv qkv = qkv_of(weights, x, heads);
  const auto along_time = [&](const char* name, const Tensor& of) {
    return at::matmul(weights.at(name).narrow(1, 0, T), heads_without_padding(of, context.padding));
  };
  qkv.k = along_time("project_key", qkv.k);
  qkv.v = along_time(shared ? "project_key" : "project_value", qkv.v);
  return {lcsm::project(weights, "output", joined_heads(attend(qkv, {}, context))), {}};
}

}  // namespace runner
