#include <ATen/TensorOperators.h>
#include <ATen/ops/exp.h>
#include <ATen/ops/silu.h>
#include <ATen/ops/softplus.h>

#include "lcsm/tensors/short_conv.h"
#include "runner/models/blocks/block.h"
#include "runner/models/blocks/inner.h"
#include "runner/models/blocks/steps.h"
#include "runner/systems/blocks.h"

namespace runner {

using at::Tensor;

ets::LayerResult mamba(const ets::Variant& v, const lcsm::Weights& weights, const Tensor& x,
                       const ets::Context& context) {
  const auto [E, N, rank, groups] = mamba_sizes(v);
  const Tensor both = lcsm::project(weights, "input", masked(x, context.padding));
  const Tensor before = masked(both.narrow(2, 0, E), context.padding), z = both.narrow(2, E, E);
  const Tensor inputs = state_of(context, "inputs");
  const auto bias = weights.find("conv.bias");
  const Tensor u =
      masked(at::silu(convolved(context.machine, before, weights.at("conv.weight"),
                                bias == weights.end() ? Tensor() : bias->second, inputs)),
             context.padding);
  const Tensor selected = lcsm::project(weights, "select", u);
  const Tensor step = at::softplus(lcsm::project(weights, "step", selected.narrow(2, 0, rank)));
  const auto of_groups = [&](std::int64_t first) {
    return selected.narrow(2, first, groups * N).unflatten(2, {groups, N});
  };
  const lcsm::RecurrenceResult scan =
      selective_scan({u, step, of_groups(rank), of_groups(rank + groups * N),
                      -at::exp(weights.at("log_decay")), state_of(context, "memory")},
                     context.on());
  const Tensor y = (scan.y + weights.at("skip") * u) * at::silu(z);
  return {lcsm::project(weights, "output", y),
          {{"inputs", lcsm::short_conv_state(before, v.options.integer("taps"), inputs)},
           {"memory", scan.state.m}}};
}

}  // namespace runner
