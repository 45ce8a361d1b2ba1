#include "runner/systems/mamba.h"

#include <ATen/TensorOperators.h>
#include <ATen/ops/exp.h>
#include <ATen/ops/softplus.h>

#include <vector>

#include "lcsm/layer/block.h"
#include "lcsm/tensors/gated.h"
#include "lcsm/tensors/short_conv.h"
#include "runner/models/blocks/inner.h"
#include "runner/models/blocks/steps.h"

namespace runner {

using at::Tensor;

lcsm::BlockResult Mamba::forward(const lcsm::Weights& weights, const at::Tensor& x,
                                 const lcsm::BlockContext& context) const {
  const std::int64_t E = channels(x.size(2)), N = state, r = step_rank(x.size(2));
  const Tensor both = lcsm::project(weights, "input", masked(x, context.padding));
  const std::vector<Tensor> halves = both.split(E, 2);
  const Tensor before = masked(halves[0], context.padding), z = halves[1];
  const Tensor inputs = state_of(context, "inputs");
  const auto conv = weights.find("conv.bias");
  const Tensor u =
      masked(convolved(lcsm::Activation::kSilu, before, weights.at("conv.weight"),
                       conv == weights.end() ? Tensor() : conv->second, inputs, context.on()),
             context.padding);
  const std::vector<Tensor> selected =
      lcsm::project(weights, "select", u).split_with_sizes({r, groups * N, groups * N}, 2);
  const Tensor step = at::softplus(lcsm::project(weights, "step", selected[0]));
  const lcsm::RecurrenceResult scan = selective_scan(
      {u, step, selected[1].unflatten(2, {groups, N}), selected[2].unflatten(2, {groups, N}),
       -at::exp(weights.at("log_decay")), state_of(context, "memory")},
      context.on());
  const Tensor y = lcsm::gated(lcsm::Activation::kSilu, z,
                               scan.y + weights.at("skip").to(u.scalar_type()) * u, context.gpu);
  return {lcsm::project(weights, "output", y),
          {{"inputs", lcsm::short_conv_state(before, taps, inputs)}, {"memory", scan.state.m}}};
}

}  // namespace runner
