// Linformer (Wang et al. 2020): softmax(Q (E K)^T / sqrt(w)) (F V), E and F [p, length], the same
// for all heads (the paper's headwise sharing). A sequence shorter than `length` counts as one with
// zeros after it, and padding as zeros: only the first T columns act.
#include <ATen/ops/matmul.h>

#include "runner/models/blocks/attention.h"
#include "runner/models/blocks/block.h"
#include "runner/systems/attention.h"

namespace runner {

using at::Tensor;

lcsm::BlockResult linformer(const lcsm::Block& v, const lcsm::Weights& weights, const Tensor& x,
                            const lcsm::BlockContext& context) {
  const std::int64_t T = x.size(1);
  check_length(v, T);
  Qkv qkv = qkv_of(weights, x, v.options.integer("heads"));
  const auto projected = [&](const char* name, const Tensor& of) {
    return at::matmul(weights.at(name).narrow(1, 0, T), heads_without_padding(of, context.padding));
  };
  qkv.k = projected("project_key", qkv.k);
  qkv.v = projected(v.options.flag("shared") ? "project_key" : "project_value", qkv.v);
  return {lcsm::project(weights, "output", joined_heads(attend(qkv, {}, context))), {}};
}

}  // namespace runner
