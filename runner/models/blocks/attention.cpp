#include "runner/models/blocks/attention.h"

#include <ATen/TensorOperators.h>
#include <ATen/ops/arange.h>
#include <ATen/ops/cat.h>
#include <ATen/ops/cos.h>
#include <ATen/ops/matmul.h>
#include <ATen/ops/neg.h>
#include <ATen/ops/outer.h>
#include <ATen/ops/pow.h>
#include <ATen/ops/scaled_dot_product_attention.h>
#include <ATen/ops/sin.h>
#include <ATen/ops/softmax.h>

#include <cmath>
#include <limits>

#include "lcsm/tensors/attention.h"

namespace runner {

using at::Tensor;

namespace {

constexpr double kRopeBase = 10000;

}  // namespace

Tensor heads_of(const Tensor& x, std::int64_t heads) {
  return x.view({x.size(0), x.size(1), heads, x.size(2) / heads}).transpose(1, 2);
}

Tensor joined_heads(const Tensor& x) {
  return x.transpose(1, 2).reshape({x.size(0), x.size(2), x.size(1) * x.size(3)});
}

Qkv qkv_of(const lcsm::Weights& weights, const Tensor& x, std::int64_t heads) {
  const std::int64_t B = x.size(0), T = x.size(1), d = x.size(2);
  const std::vector<Tensor> qkv = lcsm::project(weights, "qkv", x)
                                      .view({B, T, 3, heads, d / heads})
                                      .permute({2, 0, 3, 1, 4})
                                      .unbind(0);
  return {qkv[0], qkv[1], qkv[2]};
}

// Angles in float64: at t = 10^5 a float32 has lost two digits of its fraction.
Tensor rotated(const Tensor& x) {
  const std::int64_t T = x.size(2), half = x.size(3) / 2;
  const at::TensorOptions wide = x.options().dtype(at::kDouble);
  const Tensor rate = at::pow(kRopeBase, at::arange(half, wide) / -static_cast<double>(half));
  const Tensor angle = at::outer(at::arange(T, wide), rate);
  const Tensor cos = at::cos(angle).to(x.scalar_type()), sin = at::sin(angle).to(x.scalar_type());
  const Tensor a = x.narrow(3, 0, half), b = x.narrow(3, half, half);
  return at::cat({a * cos - b * sin, a * sin + b * cos}, 3);
}

Tensor dense_pairs(const Tensor& x, const Tensor& padding, bool bidirectional) {
  return lcsm::seen_pairs(x.size(1), !bidirectional, padding, x.options());
}

Tensor seen_by_others(const Tensor& padding) {
  if (!padding.defined()) return {};
  return (~padding | padding.all(1, true)).unsqueeze(1).unsqueeze(1);
}

Tensor attend(const Qkv& qkv, const Pairs& pairs, const lcsm::BlockContext& context) {
  const auto& [q, k, v] = qkv;
  if (context.backend != lcsm::Backend::kReference && !context.drop) {
    if (pairs.allowed.defined()) return at::scaled_dot_product_attention(q, k, v, pairs.allowed);
    return lcsm::softmax_attention(q, k, v, pairs.causal, pairs.padding);
  }
  Tensor allowed = pairs.allowed;
  if (!allowed.defined() && (pairs.causal || pairs.padding.defined()))
    allowed = lcsm::seen_pairs(q.size(2), pairs.causal, pairs.padding, q.options());
  Tensor scores = at::matmul(q, k.transpose(2, 3)) / std::sqrt(static_cast<double>(q.size(3)));
  if (allowed.defined())
    scores = scores.masked_fill(~allowed, -std::numeric_limits<double>::infinity());
  const Tensor weights = at::softmax(scores, -1);
  return at::matmul(lcsm::dropped(context, weights), v);
}

Tensor without_padding(const Tensor& x, const Tensor& padding) {
  return padding.defined() ? x.masked_fill(padding.unsqueeze(-1), 0) : x;
}

Tensor heads_without_padding(const Tensor& x, const Tensor& padding) {
  return padding.defined() ? x.masked_fill(padding.unsqueeze(1).unsqueeze(-1), 0) : x;
}

Tensor attention(const lcsm::Weights& weights, const Tensor& x, const AttentionForm& form,
                 const lcsm::BlockContext& context) {
  Qkv qkv = qkv_of(weights, x, form.heads);
  if (form.rope) {
    qkv.q = rotated(qkv.q);
    qkv.k = rotated(qkv.k);
  }
  const Tensor y = attend(qkv, {{}, !form.bidirectional, context.padding}, context);
  return lcsm::project(weights, "output", joined_heads(y));
}

}  // namespace runner
