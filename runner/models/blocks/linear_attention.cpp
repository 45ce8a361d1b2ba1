#include "runner/models/blocks/linear_attention.h"

#include <ATen/TensorOperators.h>
#include <ATen/ops/cat.h>
#include <ATen/ops/matmul.h>
#include <ATen/ops/ones_like.h>

#include "runner/models/blocks/gates.h"

namespace runner {
namespace {

using at::Tensor;

// m_t = m_(t-1) + e_t i_t^T, read by s_t.
lcsm::RecurrenceResult running_sum(const Qkv& features, const Tensor& memory, const lcsm::On& on) {
  const auto flat = [](const Tensor& x) { return x.flatten(0, 1).contiguous(); };
  lcsm::RecurrenceInputs inputs{flat(features.v), flat(features.k), flat(features.q), {}, {}};
  if (memory.defined()) inputs.state.m = flat(memory);
  return gated("10", std::move(inputs), on);
}

Tensor by_all_pairs(const Qkv& features, bool bidirectional) {
  const Tensor weights = at::matmul(features.q, features.k.transpose(2, 3));
  return at::matmul(bidirectional ? weights : weights.tril(), features.v);
}

Tensor of_all(const Qkv& features) {
  return at::matmul(features.q, at::matmul(features.k.transpose(2, 3), features.v));
}

}  // namespace

Tensor summed(const Qkv& features, bool bidirectional, const lcsm::On& on) {
  if (on.backend == lcsm::Backend::kReference) return by_all_pairs(features, bidirectional);
  if (bidirectional) return of_all(features);
  return running_sum(features, {}, on).y.view(features.v.sizes());
}

NormalizedSum normalized(const Qkv& features, const NormalizedForm& form,
                         const lcsm::BlockContext& context) {
  Qkv counted = features;  // the last channel of a value counts
  counted.k = heads_without_padding(features.k, context.padding);
  counted.v = at::cat({features.v, at::ones_like(features.v.narrow(3, 0, 1))}, 3);
  const std::int64_t w = features.v.size(3);
  const bool whole = context.state.empty() && !context.wants_state;
  NormalizedSum result;
  Tensor sums;
  if (form.bidirectional || (context.backend == lcsm::Backend::kReference && whole)) {
    sums = summed(counted, form.bidirectional, context.on());
  } else {
    const auto found = context.state.find("memory");
    const lcsm::RecurrenceResult run =
        running_sum(counted, found == context.state.end() ? Tensor() : found->second, context.on());
    sums = run.y.view(counted.v.sizes());
    result.state["memory"] =
        run.state.m.view({features.v.size(0), features.v.size(1), features.k.size(3), w + 1});
  }
  Tensor total = sums.narrow(3, w, 1) + form.epsilon;
  if (context.padding.defined()) total = total + (total == 0);  // only padding so far
  result.y = sums.narrow(3, 0, w) / total;
  return result;
}

}  // namespace runner
