#include "runner/models/blocks/steps.h"

#include <ATen/TensorOperators.h>
#include <ATen/ops/cat.h>
#include <ATen/ops/ones_like.h>

#include "lcsm/tensors/short_conv.h"
#include "runner/models/blocks/gates.h"

namespace runner {

using at::Tensor;

Tensor masked(const Tensor& x, const Tensor& padding) {
  return padding.defined() ? x.masked_fill(padding.unsqueeze(-1), 0) : x;
}

Tensor state_of(const lcsm::BlockContext& context, const std::string& name) {
  const auto found = context.state.find(name);
  return found == context.state.end() ? Tensor() : found->second;
}

Tensor convolved(lcsm::Activation f, const Tensor& x, const Tensor& weight, const Tensor& bias,
                 const Tensor& before, const lcsm::On& on) {
  return on.backend == lcsm::Backend::kReference
             ? lcsm::short_conv_reference(f, x, weight, bias, before)
             : lcsm::short_conv(f, x, weight, bias, before, on.gpu);
}

Tensor project_heads(const lcsm::Weights& weights, const std::string& name, const Tensor& x,
                     std::int64_t heads) {
  const Tensor y = lcsm::project(weights, name, x);
  return heads_into_batch(y.view({y.size(0), y.size(1), heads, y.size(2) / heads}));
}

Tensor joined_heads(const Tensor& x, std::int64_t heads) {
  return heads_from_batch(x, heads).flatten(2);
}

Tensor with_ones(const Tensor& values) {
  return at::cat({values, at::ones_like(values.narrow(2, 0, 1))}, 2);
}

}  // namespace runner
