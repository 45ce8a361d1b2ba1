#include <ATen/TensorOperators.h>
#include <ATen/ops/exp.h>
#include <ATen/ops/relu.h>
#include <ATen/ops/sigmoid.h>

#include "lcsm/layer/wkv.h"
#include "lcsm/tensors/short_conv.h"
#include "runner/blocks/block.h"
#include "runner/blocks/steps.h"

namespace runner {

using at::Tensor;

namespace {

// NAME of the mix of its own.
Tensor projected(const lcsm::Weights& weights, const std::string& name, const Tensor& x,
                 const Tensor& before) {
  return lcsm::project(weights, name, mixed_with_before(x, weights.at("mix." + name), before));
}

constexpr double kNoWeight = -1e4;  // of a key: e^k is 0 beside any other

}  // namespace

ets::LayerResult rwkv4(const ets::Variant&, const lcsm::Weights& weights, const Tensor& given,
                       const ets::Context& context) {
  const Tensor x = masked(given, context.padding), before = state_of(context, "inputs");
  Tensor key = projected(weights, "key", x, before);
  if (context.padding.defined()) key = key.masked_fill(context.padding.unsqueeze(-1), kNoWeight);
  const Tensor value = projected(weights, "value", x, before);
  const auto run = context.machine == ets::Machine::kReference ? lcsm::wkv_reference : lcsm::wkv;
  const lcsm::WkvResult mean =
      run({key, value, at::exp(weights.at("log_decay")), weights.at("present"),
           state_of(context, "mean"), state_of(context, "log_sum")});
  const Tensor gate = at::sigmoid(projected(weights, "gate", x, before));
  return {lcsm::project(weights, "output", gate * mean.y),
          {{"inputs", lcsm::short_conv_state(x, 2, before)},
           {"mean", mean.mean},
           {"log_sum", mean.log_sum}}};
}

ets::LayerResult rwkv4_feed(const ets::Variant&, const lcsm::Weights& weights, const Tensor& given,
                            const ets::Context& context) {
  const Tensor x = masked(given, context.padding), before = state_of(context, "inputs");
  const Tensor gate = at::sigmoid(projected(weights, "gate", x, before)),
               hidden = at::relu(projected(weights, "key", x, before)).square();
  return {gate * lcsm::project(weights, "value", hidden),
          {{"inputs", lcsm::short_conv_state(x, 2, before)}}};
}

}  // namespace runner
