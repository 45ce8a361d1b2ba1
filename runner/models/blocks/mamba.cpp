#include "runner/systems/mamba.h"

#include <ATen/TensorOperators.h>
#include <ATen/ops/exp.h>
#include <ATen/ops/silu.h>
#include <ATen/ops/softplus.h>

#include "lcsm/layer/block.h"
#include "lcsm/tensors/short_conv.h"
#include "runner/models/blocks/inner.h"
#include "runner/models/blocks/steps.h"

namespace runner {

using at::Tensor;

lcsm::BlockResult Mamba::forward(const lcsm::Weights& weights, const at::Tensor& x,
                                 const lcsm::BlockContext& context) const {
  const std::int64_t E = channels(x.size(2)), N = state, r = step_rank(x.size(2));
  const Tensor both = lcsm::project(weights, "input", masked(x, context.padding));
  const Tensor before = masked(both.narrow(2, 0, E), context.padding), z = both.narrow(2, E, E);
  const Tensor inputs = state_of(context, "inputs");
  const auto conv = weights.find("conv.bias");
  const Tensor u =
      masked(at::silu(convolved(context.backend, before, weights.at("conv.weight"),
                                conv == weights.end() ? Tensor() : conv->second, inputs)),
             context.padding);
  const Tensor selected = lcsm::project(weights, "select", u);
  const Tensor step = at::softplus(lcsm::project(weights, "step", selected.narrow(2, 0, r)));
  const auto of_groups = [&](std::int64_t first) {
    return selected.narrow(2, first, groups * N).unflatten(2, {groups, N});
  };
  const lcsm::RecurrenceResult scan =
      selective_scan({u, step, of_groups(r), of_groups(r + groups * N),
                      -at::exp(weights.at("log_decay")), state_of(context, "memory")},
                     context.on());
  const Tensor y = (scan.y + weights.at("skip") * u) * at::silu(z);
  return {lcsm::project(weights, "output", y),
          {{"inputs", lcsm::short_conv_state(before, taps, inputs)}, {"memory", scan.state.m}}};
}

}  // namespace runner
