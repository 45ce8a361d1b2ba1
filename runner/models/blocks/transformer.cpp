// Transformer (Vaswani et al. 2017):     y_t = sum over u of softmax_u(q_t . k_u / sqrt(w)) v_u
// Linear transformer (Katharopoulos et al., "Transformers are RNNs", 2020), f(x) = elu(x) + 1:
//   y_t = sum over u of f(q_t) . f(k_u) v_u / (epsilon + sum over u of f(q_t) . f(k_u))
// Performer (Choromanski et al. 2021): the same with f that estimates the softmax's weights,
//   f(x) = (exp(W z - |z|^2 / 2) + epsilon) / sqrt(m),  z = x / w^(1/4),  W [m, w] fixed.
// The largest exponent of a query is subtracted from all of its own, which its sum divides out (but
// for epsilon). That of keys is not, unlike in the authors' code: it would depend on later keys.
// A key's exponents are at most |row of W|^2 / 2, about w / 2, within float32 up to w = 170.
#include <ATen/TensorOperators.h>
#include <ATen/ops/elu.h>
#include <ATen/ops/exp.h>
#include <ATen/ops/matmul.h>
#include <ATen/ops/relu.h>

#include <cmath>

#include "lcsm/machines/constant.h"
#include "runner/models/blocks/block.h"
#include "runner/models/blocks/linear_attention.h"
#include "runner/models/blocks/random_features.h"

namespace runner {
namespace {

using at::Tensor;

ets::LayerResult by_features(const ets::Variant& v, const lcsm::Weights& weights,
                             const Qkv& features, double epsilon, const ets::Context& context) {
  NormalizedSum sum = normalized(features, {epsilon, v.options.flag("bidirectional")}, context);
  return {lcsm::project(weights, "output", joined_heads(sum.y)), std::move(sum.state)};
}

double feature_epsilon(const ets::Variant& v, bool relu) {
  const double epsilon = v.options.number("epsilon");
  if (epsilon > 0) return epsilon;
  return relu ? 1e-3 : 1e-8;
}

std::int64_t feature_count(const ets::Variant& v) {
  const std::int64_t count = v.options.integer("features"), w = v.d / v.options.integer("heads");
  const double rule = std::ceil(static_cast<double>(w) * std::log(static_cast<double>(w)));
  return count > 0 ? count : std::max<std::int64_t>(1, static_cast<std::int64_t>(rule));
}

}  // namespace

ets::LayerResult transformer(const ets::Variant& v, const lcsm::Weights& weights, const Tensor& x,
                             const ets::Context& context) {
  const AttentionForm form{v.options.integer("heads"), v.options.text("positions") == "rope",
                           v.options.flag("bidirectional")};
  return {attention(weights, x, form, context), {}};
}

ets::LayerResult linear_transformer(const ets::Variant& v, const lcsm::Weights& weights,
                                    const Tensor& x, const ets::Context& context) {
  const Qkv qkv = qkv_of(weights, x, v.options.integer("heads"));
  return by_features(v, weights, {at::elu(qkv.q) + 1, at::elu(qkv.k) + 1, qkv.v},
                     v.options.number("epsilon"), context);
}

ets::LayerResult performer(const ets::Variant& v, const lcsm::Weights& weights, const Tensor& x,
                           const ets::Context& context) {
  const Qkv qkv = qkv_of(weights, x, v.options.integer("heads"));
  const std::int64_t w = qkv.q.size(3), m = feature_count(v);
  const auto draw = static_cast<std::uint64_t>(v.options.integer("draw"));
  const Tensor rows =
      lcsm::constant(context.gpu, c10::str("features ", m, " ", w, " ", draw, x.dtype()), [&] {
        return orthogonal_normals(m, w, draw).to(x.options());
      }).t();
  const bool relu = v.options.text("kernel") == "relu";
  const double epsilon = feature_epsilon(v, relu), share = 1 / std::sqrt(static_cast<double>(m));
  const auto features = [&](const Tensor& of, bool query) {
    if (relu) return share * (at::relu(at::matmul(of, rows)) + epsilon);
    const Tensor z = of / std::pow(static_cast<double>(w), 0.25);
    const Tensor power = at::matmul(z, rows) - (z * z).sum(-1, true) / 2;
    return share * (at::exp(query ? power - power.amax(-1, true) : power) + epsilon);
  };
  return by_features(v, weights, {features(qkv.q, true), features(qkv.k, false), qkv.v}, 0,
                     context);
}

}  // namespace runner
