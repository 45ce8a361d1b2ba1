#include <ATen/TensorOperators.h>
#include <ATen/ops/exp.h>
#include <ATen/ops/relu.h>
#include <ATen/ops/stack.h>

#include "lcsm/layer/block.h"
#include "lcsm/machines/wkv.h"
#include "lcsm/tensors/gated.h"
#include "lcsm/tensors/short_conv.h"
#include "runner/models/blocks/steps.h"
#include "runner/systems/recurrences.h"

namespace runner {

using at::Tensor;

namespace {

// x_t beside x_(t-1), which a block mixes before each projection.
struct Shifted {
  const lcsm::Weights& weights;
  const lcsm::BlockContext& context;
  const Tensor x = {}, before = {};

  // NAME of mix.NAME of x_t and the rest of x_(t-1).
  Tensor project(const std::string& name) const {
    const Tensor& mix = weights.at("mix." + name);
    return lcsm::project(weights, name,
                         convolved(lcsm::Activation::kIdentity, x, at::stack({mix, 1 - mix}, 1),
                                   Tensor(), before, context.on()));
  }
  Tensor last() const { return lcsm::short_conv_state(x, 2, before); }
};

Shifted shifted(const lcsm::Weights& weights, const Tensor& x, const lcsm::BlockContext& context) {
  return {weights, context, masked(x, context.padding), state_of(context, "inputs")};
}

constexpr double kNoWeight = -1e4;  // of a key: e^k is 0 beside any other

}  // namespace

lcsm::BlockResult Rwkv4::forward(const lcsm::Weights& weights, const at::Tensor& x,
                                 const lcsm::BlockContext& context) const {
  const Shifted in = shifted(weights, x, context);
  Tensor key = in.project("key");
  if (context.padding.defined()) key = key.masked_fill(context.padding.unsqueeze(-1), kNoWeight);
  const Tensor value = in.project("value");
  const lcsm::WkvInputs inputs = {key,
                                  value,
                                  at::exp(weights.at("log_decay")),
                                  weights.at("present"),
                                  state_of(context, "mean"),
                                  state_of(context, "log_sum")};
  const lcsm::WkvResult mean = context.backend == lcsm::Backend::kReference
                                   ? lcsm::wkv_reference(inputs)
                                   : lcsm::wkv(inputs, context.gpu);
  const Tensor y = lcsm::gated(lcsm::Activation::kSigmoid, in.project("gate"), mean.y, context.gpu);
  return {lcsm::project(weights, "output", y),
          {{"inputs", in.last()}, {"mean", mean.mean}, {"log_sum", mean.log_sum}}};
}

lcsm::BlockResult Rwkv4Feed::forward(const lcsm::Weights& weights, const at::Tensor& x,
                                     const lcsm::BlockContext& context) const {
  const Shifted in = shifted(weights, x, context);
  const Tensor gate = in.project("gate"), hidden = at::relu(in.project("key")).square();
  return {lcsm::gated(lcsm::Activation::kSigmoid, gate, lcsm::project(weights, "value", hidden),
                      context.gpu),
          {{"inputs", in.last()}}};
}

}  // namespace runner
