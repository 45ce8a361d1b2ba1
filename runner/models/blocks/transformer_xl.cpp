// Transformer-XL. h [M + T, d] is the memory, then the segment; of step i of the segment and any
// step j of h, in each head:
//   A_ij = q_i . k_j + q_i . r_(i-j) + u . k_j + v . r_(i-j)          (terms a, b, c, d)
//   y_i = W_o (sum over j <= i of softmax_j(A_ij / sqrt(w)) v_j)
// q from the segment, k and values from h; r_n = W_R R_n, R_n = [sin(n f), cos(n f)],
// f_c = 10000^(-2c/d). u and v belong to all layers. The paper has no 1 / sqrt(w); the authors'
// code does. It also drops R and the last layer's output in training; here neither is dropped.
#include "runner/systems/transformer_xl.h"

#include <ATen/TensorOperators.h>
#include <ATen/ops/arange.h>
#include <ATen/ops/cat.h>
#include <ATen/ops/cos.h>
#include <ATen/ops/linear.h>
#include <ATen/ops/matmul.h>
#include <ATen/ops/ones.h>
#include <ATen/ops/outer.h>
#include <ATen/ops/pow.h>
#include <ATen/ops/sin.h>
#include <ATen/ops/softmax.h>
#include <ATen/ops/zeros.h>

#include <cmath>
#include <limits>

#include "lcsm/layer/block.h"
#include "runner/models/blocks/attention.h"
#include "runner/models/blocks/steps.h"

namespace runner {
namespace {

using at::Tensor;

// R of the distances count - 1, ..., 1, 0: [count, d].
Tensor sinusoids(std::int64_t count, std::int64_t d, const at::TensorOptions& options) {
  const at::TensorOptions wide = options.dtype(at::kDouble);
  const Tensor rate = at::pow(10000, at::arange(d / 2, wide) * (-2 / static_cast<double>(d)));
  const Tensor angle = at::outer(at::arange(count - 1, -1, -1, wide), rate);
  return at::cat({at::sin(angle), at::cos(angle)}, 1).to(options.dtype());
}

// Turns scores by distance, [B, H, T, S] in the order of sinusoids(), into scores by step: column j
// of row i is the distance S - T + i - j. Columns after the present have no meaning.
Tensor shifted(const Tensor& scores) {
  const std::int64_t B = scores.size(0), H = scores.size(1), T = scores.size(2), S = scores.size(3);
  const Tensor padded = at::cat({at::zeros({B, H, T, 1}, scores.options()), scores}, 3);
  return padded.view({B, H, S + 1, T}).narrow(2, 1, S).reshape({B, H, T, S});
}

// Like shifted(), but looks up each score by its distance.
Tensor looked_up(const Tensor& scores) {
  const std::int64_t T = scores.size(2), S = scores.size(3);
  const at::TensorOptions whole = scores.options().dtype(at::kLong);
  const Tensor distance =
      (at::arange(S - T, S, whole).unsqueeze(1) - at::arange(S, whole)).clamp_min(0);
  return scores.gather(3, (S - 1 - distance).expand_as(scores));
}

// [T, S]: the positions hidden from each step.
Tensor later_steps(std::int64_t T, std::int64_t S, const at::TensorOptions& options) {
  return at::ones({T, S}, options.dtype(at::kBool)).triu(S - T + 1);
}

}  // namespace

lcsm::BlockResult TransformerXl::forward(const lcsm::Weights& weights, const Tensor& x,
                                         const lcsm::BlockContext& context) const {
  const std::int64_t T = x.size(1), d = x.size(2);
  const Tensor before = state_of(context, "memory");
  const Tensor h = before.defined() ? at::cat({before.to(x.scalar_type()), x}, 1) : x;
  const std::int64_t S = h.size(1);
  const std::vector<Tensor> w = weights.at("qkv.weight").split(d, 0);
  const Tensor q = at::linear(x, w[0]), k = heads_of(at::linear(h, w[1]), heads),
               values = heads_of(at::linear(h, w[2]), heads);
  const Tensor r = heads_of(
      at::linear(sinusoids(S, d, x.options()), weights.at("position.weight")).unsqueeze(0), heads);
  const Tensor by_content = heads_of(q + weights.at("content_bias"), heads),
               by_place = heads_of(q + weights.at("position_bias"), heads);
  const auto by_step = context.backend == lcsm::Backend::kReference ? looked_up : shifted;
  // Changes in place, since a tensor of all pairs is large.
  const Tensor scores = at::matmul(by_content, k.transpose(2, 3));
  scores.add_(by_step(at::matmul(by_place, r.transpose(2, 3))));
  Tensor hidden = later_steps(T, S, x.options());
  if (context.padding.defined()) {
    // Padding is seen only by itself, so that no row of weights is empty.
    const Tensor padded =
        at::cat({at::zeros({x.size(0), S - T}, context.padding.options()), context.padding}, 1);
    const Tensor itself = at::ones({T, S}, hidden.options()).triu(S - T).logical_and(~hidden);
    hidden = hidden | (padded.view({x.size(0), 1, 1, S}) & ~itself);
  }
  const double scale = 1 / std::sqrt(static_cast<double>(d / heads));
  const Tensor shares = at::softmax(
      scores.mul_(scale).masked_fill_(hidden, -std::numeric_limits<double>::infinity()), -1);
  const Tensor y = at::matmul(lcsm::dropped(context, shares, attention_dropout), values);
  lcsm::BlockState state;
  const std::int64_t kept = std::min(memory, S);
  // A memory has no padding.
  if (!context.padding.defined()) state["memory"] = h.narrow(1, S - kept, kept);
  return {lcsm::project(weights, "output", joined_heads(y)), std::move(state)};
}

}  // namespace runner
