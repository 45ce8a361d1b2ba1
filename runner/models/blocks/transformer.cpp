// Transformer (Vaswani et al. 2017):     y_t = sum over u of softmax_u(q_t . k_u / sqrt(w)) v_u
// Linear transformer (Katharopoulos et al., "Transformers are RNNs", 2020), f(x) = elu(x) + 1:
//   y_t = sum over u of f(q_t) . f(k_u) v_u / (epsilon + sum over u of f(q_t) . f(k_u))
// Performer (Choromanski et al. 2021): the equation above with an f that estimates the softmax,
//   f(x) = (exp(W z - |z|^2 / 2) + epsilon) / sqrt(m),  z = x / w^(1/4),  W [m, w] fixed.
// The largest exponent of a query is subtracted from all of its exponents, which cancels in the
// quotient (except for epsilon). The largest exponent of the keys is not, unlike in the authors'
// code: it would depend on later keys. A key's exponents are at most |row of W|^2 / 2, about w / 2,
// within float32 up to w = 170.
#include "runner/systems/transformer.h"

#include <ATen/TensorOperators.h>
#include <ATen/ops/elu.h>
#include <ATen/ops/exp.h>
#include <ATen/ops/matmul.h>
#include <ATen/ops/relu.h>

#include <cmath>

#include "lcsm/layer/block.h"
#include "lcsm/machines/constant.h"
#include "runner/models/blocks/linear_attention.h"
#include "runner/models/blocks/random_features.h"

namespace runner {
namespace {

using at::Tensor;

lcsm::BlockResult by_features(const lcsm::Weights& weights, const Qkv& features,
                              const NormalizedForm& form, const lcsm::BlockContext& context) {
  NormalizedSum sum = normalized(features, form, context);
  return {lcsm::project(weights, "output", joined_heads(sum.y)), std::move(sum.state)};
}

}  // namespace

lcsm::BlockResult Transformer::forward(const lcsm::Weights& weights, const at::Tensor& x,
                                       const lcsm::BlockContext& context) const {
  const AttentionForm form{heads, positions == "rope", bidirectional};
  return {attention(weights, x, form, context), {}};
}

lcsm::BlockResult LinearTransformer::forward(const lcsm::Weights& weights, const at::Tensor& x,
                                             const lcsm::BlockContext& context) const {
  const Qkv qkv = qkv_of(weights, x, heads);
  return by_features(weights, {at::elu(qkv.q) + 1, at::elu(qkv.k) + 1, qkv.v},
                     {epsilon, bidirectional}, context);
}

lcsm::BlockResult Performer::forward(const lcsm::Weights& weights, const at::Tensor& x,
                                     const lcsm::BlockContext& context) const {
  const Qkv qkv = qkv_of(weights, x, heads);
  const std::int64_t w = qkv.q.size(3), m = feature_count(x.size(2));
  const auto seed = static_cast<std::uint64_t>(draw);
  const Tensor rows =
      lcsm::constant(context.gpu, c10::str("features ", m, " ", w, " ", seed, x.dtype()), [&] {
        return orthogonal_normals(m, w, seed).to(x.options());
      }).t();
  const bool relu = kernel == "relu";
  const double least = epsilon > 0 ? epsilon
                       : relu      ? 1e-3
                                   : 1e-8,
               share = 1 / std::sqrt(static_cast<double>(m));
  const auto features_of = [&](const Tensor& of, bool query) {
    if (relu) return share * (at::relu(at::matmul(of, rows)) + least);
    const Tensor z = of / std::pow(static_cast<double>(w), 0.25);
    const Tensor power = at::matmul(z, rows) - (z * z).sum(-1, true) / 2;
    return share * (at::exp(query ? power - power.amax(-1, true) : power) + least);
  };
  return by_features(weights, {features_of(qkv.q, true), features_of(qkv.k, false), qkv.v},
                     {0, bidirectional}, context);
}

}  // namespace runner
