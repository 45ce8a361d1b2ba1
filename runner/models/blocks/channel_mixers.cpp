#include "runner/models/blocks/channel_mixers.h"

#include <ATen/ops/constant_pad_nd.h>

#include "lcsm/layer/block.h"
#include "lcsm/tensors/gated.h"
#include "lcsm/tensors/rounded.h"
#include "runner/systems/channel_mixers.h"

namespace runner {
namespace {

using at::Tensor;

// Pads the inner channels with zeros to a multiple of 8: a GPU's products are slow unless rows are
// a multiple of 16 bytes.
lcsm::Weights padded(lcsm::Weights weights) {
  const std::int64_t more = (8 - weights.at("gate.weight").size(0) % 8) % 8;
  if (more == 0) return weights;
  for (const char* name : {"gate.weight", "value.weight", "gate.bias", "value.bias"}) {
    const auto found = weights.find(name);
    if (found == weights.end()) continue;
    Tensor& tensor = found->second;
    tensor = lcsm::rounded(tensor);
    tensor = tensor.dim() == 2 ? at::constant_pad_nd(tensor, {0, 0, 0, more})
                               : at::constant_pad_nd(tensor, {0, more});
  }
  Tensor& output = weights.at("output.weight");
  output = at::constant_pad_nd(lcsm::rounded(output), {0, more});
  return weights;
}

}  // namespace

Tensor glu(const lcsm::Weights& weights, std::string_view activation, const Tensor& x,
           const lcsm::GpuOrCpu& gpu) {
  const lcsm::Weights w = gpu ? padded(weights) : weights;
  const Tensor gate = lcsm::project(w, "gate", x), value = lcsm::project(w, "value", x);
  return lcsm::project(w, "output",
                       lcsm::gated(lcsm::activation_named(activation), gate, value, gpu));
}

Tensor mlp(const lcsm::Weights& weights, const Tensor& x, std::string_view activation,
           const std::function<Tensor(const Tensor&)>& drop) {
  const Tensor inside =
      lcsm::activated(lcsm::activation_named(activation), lcsm::project(weights, "up", x));
  return lcsm::project(weights, "down", drop ? drop(inside) : inside);
}

lcsm::BlockResult Mlp::forward(const lcsm::Weights& weights, const at::Tensor& x,
                               const lcsm::BlockContext& context) const {
  return {mlp(weights, x, activation.text(), context.drop), {}};
}

lcsm::BlockResult Glu::forward(const lcsm::Weights& weights, const at::Tensor& x,
                               const lcsm::BlockContext& context) const {
  return {glu(weights, activation.text(), x, context.gpu), {}};
}

}  // namespace runner
