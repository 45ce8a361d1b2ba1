// Weights relu(q_t) relu(k_u) cos(pi / 2 (t - u) / M), M the length of each sequence without its
// padding: the features [relu cos, relu sin] make them a product.
#include <ATen/TensorOperators.h>
#include <ATen/ops/arange.h>
#include <ATen/ops/cat.h>
#include <ATen/ops/cos.h>
#include <ATen/ops/full.h>
#include <ATen/ops/matmul.h>
#include <ATen/ops/relu.h>
#include <ATen/ops/sin.h>

#include <numbers>

#include "lcsm/layer/block.h"
#include "runner/models/blocks/gates.h"
#include "runner/models/blocks/steps.h"
#include "runner/systems/linear_attention.h"

namespace runner {
namespace {

using at::Tensor;

// pi / 2 t / M, [B, T].
Tensor angles(const Tensor& x, const Tensor& padding) {
  const at::TensorOptions wide = x.options().dtype(at::kDouble);
  const std::int64_t B = x.size(0), T = x.size(1);
  const Tensor lengths = padding.defined()
                             ? padding.logical_not().sum(1, true).to(at::kDouble).clamp_min(1)
                             : at::full({B, 1}, static_cast<double>(T), wide);
  return at::arange(1, T + 1, wide) * (std::numbers::pi / 2) / lengths;
}

Tensor of_each_head(const Tensor& x, std::int64_t heads) {
  return x.unsqueeze(1).expand({x.size(0), heads, x.size(1)}).flatten(0, 1);
}

}  // namespace

lcsm::BlockResult Cosformer::forward(const lcsm::Weights& weights, const at::Tensor& x,
                                     const lcsm::BlockContext& context) const {
  const std::int64_t T = x.size(1), d = x.size(2), width = d / heads;
  const bool both = bidirectional;
  const Tensor q = at::relu(project_heads(weights, "query", x, heads)),
               value = with_ones(project_heads(weights, "value", x, heads)),
               angle = of_each_head(angles(x, context.padding), heads);
  Tensor k = at::relu(project_heads(weights, "key", x, heads));
  if (context.padding.defined()) k = masked(k, of_each_head(context.padding, heads));
  Tensor sums;  // [B H, T, width + 1]
  if (context.backend == lcsm::Backend::kReference) {
    const Tensor lags = at::cos(angle.unsqueeze(2) - angle.unsqueeze(1)).to(q.scalar_type());
    const Tensor scores = at::matmul(q, k.transpose(1, 2)) * lags;
    sums = at::matmul(both ? scores : scores.tril(), value);
  } else {
    const Tensor cos = at::cos(angle).to(q.scalar_type()).unsqueeze(2),
                 sin = at::sin(angle).to(q.scalar_type()).unsqueeze(2);
    const Tensor q2 = at::cat({q * cos, q * sin}, 2), k2 = at::cat({k * cos, k * sin}, 2);
    sums = both ? at::matmul(q2, at::matmul(k2.transpose(1, 2), value))
                : gated("10", {value, k2, q2, {}, {}}, context.on()).y;
  }
  const Tensor total = sums.narrow(2, width, 1).clamp_min(eps);
  const Tensor y = joined_heads(sums.narrow(2, 0, width) / total, heads);
  return {lcsm::project(weights, "output", y.reshape({x.size(0), T, d})), {}};
}

}  // namespace runner
