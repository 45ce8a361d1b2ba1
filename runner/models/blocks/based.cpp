// Weights 1 + a + a^2 / 2 of a = q.k / sqrt(f), the first terms of exp(a), divided by their sum.
#include <ATen/TensorOperators.h>
#include <ATen/ops/cat.h>
#include <ATen/ops/matmul.h>
#include <ATen/ops/ones_like.h>
#include <ATen/ops/triu_indices.h>

#include <cmath>

#include "lcsm/layer/block.h"
#include "runner/models/blocks/gates.h"
#include "runner/models/blocks/steps.h"
#include "runner/systems/linear_attention.h"

namespace runner {
namespace {

using at::Tensor;

// Features whose product is that series. A pair of different channels stands for both orders.
Tensor features(const Tensor& x) {
  const std::int64_t f = x.size(2);
  const double root = std::sqrt(static_cast<double>(f));
  const Tensor pairs = at::triu_indices(f, f, 0, x.options().dtype(at::kLong));
  const Tensor first = pairs.select(0, 0), second = pairs.select(0, 1);
  const Tensor same = (first == second).to(x.scalar_type());
  const Tensor weight = (1 - same + same * std::sqrt(0.5)) / root;
  return at::cat({at::ones_like(x.narrow(2, 0, 1)), x / std::sqrt(root),
                  x.index_select(2, first) * x.index_select(2, second) * weight},
                 2);
}

}  // namespace

lcsm::BlockResult Based::forward(const lcsm::Weights& weights, const at::Tensor& x,
                                 const lcsm::BlockContext& context) const {
  const std::int64_t d = x.size(2), width = d / heads;
  const Tensor q = project_heads(weights, "query", x, heads),
               k = project_heads(weights, "key", x, heads);
  Tensor value = with_ones(project_heads(weights, "value", x, heads));
  if (context.padding.defined()) value = masked(value, context.padding.repeat_interleave(heads, 0));
  const bool begins = context.state.empty();
  const bool pairs =
      view == "quadratic" || (context.backend == lcsm::Backend::kReference && !context.wants_state);
  lcsm::BlockState state;
  Tensor sums;  // [B H, T, width + 1]
  if (begins && pairs) {
    const Tensor a = at::matmul(q, k.transpose(1, 2)) / std::sqrt(static_cast<double>(feature));
    sums = at::matmul((1 + a + a * a / 2).tril(), value);
  } else {
    const lcsm::RecurrenceResult result =
        gated("10", {value, features(k), features(q), {}, {state_of(context, "memory"), {}}},
              context.on());
    sums = result.y;
    state["memory"] = result.state.m;
  }
  const Tensor y = sums.narrow(2, 0, width) / (sums.narrow(2, width, 1) + eps);
  return {lcsm::project(weights, "output", joined_heads(y, heads)), std::move(state)};
}

}  // namespace runner
