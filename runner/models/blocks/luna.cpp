// Luna (Ma et al., "Linear Unified Nested Attention", 2021), with packed positions P [p, d] that
// each block learns; in the paper, a layer passes them on to the next.
// Two-sided:  Y_P = attention(P W_pq, X W_pk, X W_pv),  Y = attention(X W_q, Y_P W_k, Y_P W_v).
// Causal, with (f(q, k, v))_t = 1/t sum over u <= t of (q_t . k_u) v_u, q = X W_q, k = X W_pk:
//   A = act(P W_pq k^T / sqrt(w))^T [T, p],  U = softmax(f(q, k, A)),  Y = f(U, A, X W_pv).
// t counts positions that are not padding. Both are linear in T.
#include <ATen/TensorOperators.h>
#include <ATen/ops/cumsum.h>
#include <ATen/ops/elu.h>
#include <ATen/ops/matmul.h>
#include <ATen/ops/ones.h>
#include <ATen/ops/softmax.h>
#include <ATen/ops/softplus.h>

#include <cmath>

#include "lcsm/layer/block.h"
#include "runner/models/blocks/linear_attention.h"
#include "runner/systems/efficient_attention.h"

namespace runner {
namespace {

using at::Tensor;

// [B or 1, 1, T, 1]: the number of positions so far without padding, at least 1.
Tensor steps_of(const Tensor& x, const Tensor& padding) {
  const Tensor real =
      padding.defined() ? (~padding).to(x.scalar_type()) : at::ones({1, x.size(1)}, x.options());
  return at::cumsum(real, 1).clamp_min(1).unsqueeze(1).unsqueeze(-1);
}

}  // namespace

lcsm::BlockResult Luna::forward(const lcsm::Weights& weights, const at::Tensor& x,
                                const lcsm::BlockContext& context) const {
  const auto project = [&](const char* name, const Tensor& of) {
    return heads_of(lcsm::project(weights, name, of), heads);
  };
  const Tensor positions = weights.at("packed").unsqueeze(0).expand({x.size(0), -1, -1});
  const Tensor pack = project("pack_query", positions), q = project("query", x);
  const Tensor k = project("pack_key", x), values = project("pack_value", x);
  if (bidirectional) {
    const Tensor together =
        joined_heads(attend({pack, k, values}, {seen_by_others(context.padding)}, context));
    const Tensor y = attend({q, project("key", together), project("value", together)}, {}, context);
    return {lcsm::project(weights, "output", joined_heads(y)), {}};
  }
  const Tensor steps = steps_of(x, context.padding);
  const Tensor scores =
      at::matmul(k, pack.transpose(2, 3)) / std::sqrt(static_cast<double>(k.size(3)));
  const Tensor a = heads_without_padding(
      activation == "elu" ? at::elu(scores) + 1 : at::softplus(scores), context.padding);
  const Tensor unpack = at::softmax(summed({q, k, a}, false, context.on()) / steps, -1);
  const Tensor y = summed({unpack, a, values}, false, context.on()) / steps;
  return {lcsm::project(weights, "output", joined_heads(y)), {}};
}

}  // namespace runner
