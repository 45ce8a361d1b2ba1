// Transformer (Vaswani et al. 2017), in each head of w channels, s the encoder's output:
//   y_t = W_o sum over j of softmax_j(q_t . k_j / sqrt(w)) v_j,  q = W_q x, k = W_k s, v = W_v s
// MEGA, without moving averages, in one head of z channels for queries and keys:
//   [u, r, q] = W_q x, u a sigmoid, r through silu;  k = W_k s, v = silu(W_v s)
//   y = u (drop(silu(W_h (r A v))) - residual),  A of ets/layer/attention.h, f = 1 / sqrt(z), the
//   bias of target step t and source step j is the bias of the distance j - t
#include "runner/models/blocks/cross_attention.h"

#include <ATen/TensorOperators.h>
#include <ATen/ops/sigmoid.h>
#include <ATen/ops/silu.h>

#include <cmath>

#include "ets/layer/attention.h"
#include "lcsm/layer/layer.h"
#include "runner/models/blocks/attention.h"

namespace runner {

using at::Tensor;

Tensor CrossAttention::forward(const lcsm::Weights& weights, const Tensor& x,
                               const EncodedSource& source,
                               const lcsm::BlockContext& context) const {
  const auto read = [&](const char* name, const Tensor& from) {
    return heads_of(lcsm::project(weights, name, from), heads);
  };
  const Qkv qkv{read("query", x), read("key", source.output), read("value", source.output)};
  const Pairs pairs{seen_by_others(source.padding)};
  return lcsm::project(weights, "output", joined_heads(attend(qkv, pairs, context)));
}

Tensor GatedCrossAttention::forward(const lcsm::Weights& weights, const Tensor& x,
                                    const EncodedSource& source,
                                    const lcsm::BlockContext& context) const {
  const std::int64_t d = x.size(2), z = decoder.keys(d);
  const auto base = lcsm::project(weights, "query", x).split_with_sizes({d, d, z}, -1);
  const Tensor update = at::sigmoid(base[0]), reset = at::silu(base[1]);
  const Tensor keys = lcsm::project(weights, "key", source.output),
               values = at::silu(lcsm::project(weights, "value", source.output));
  ets::Attention form{.kind = decoder.attention.text(),
                      .bias = decoder.bias.text(),
                      .factor = 1 / std::sqrt(static_cast<double>(z)),
                      .causal = false};
  if (context.drop_share && decoder.attention_dropout > 0)
    form.drop = [&](const Tensor& y) {
      return lcsm::dropped(context, y, decoder.attention_dropout);
    };
  const Tensor read =
      ets::cross_attended(form, weights, base[2], keys,
                          lcsm::dropped(context, values, decoder.hidden_dropout), source.padding);
  const Tensor hidden = at::silu(lcsm::project(weights, "hidden", read * reset));
  return update *
         (lcsm::dropped(context, hidden) - (context.residual.defined() ? context.residual : x));
}

Tensor cross_forward(const Cross& cross, const lcsm::Weights& weights, const Tensor& x,
                     const EncodedSource& source, const lcsm::BlockContext& context) {
  return std::visit([&](const auto& each) { return each.forward(weights, x, source, context); },
                    cross);
}

}  // namespace runner
