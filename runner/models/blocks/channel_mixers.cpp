#include "runner/models/blocks/channel_mixers.h"

#include <ATen/TensorOperators.h>
#include <ATen/ops/gelu.h>
#include <ATen/ops/relu.h>
#include <ATen/ops/sigmoid.h>
#include <ATen/ops/silu.h>

#include <array>
#include <stdexcept>

#include "runner/models/blocks/block.h"

namespace runner {
namespace {

using at::Tensor;

struct ActivationRow {
  std::string_view name;
  Tensor (*apply)(const Tensor&);
};
constexpr std::array kActivations = {
    ActivationRow{"identity", [](const Tensor& x) { return x; }},
    ActivationRow{"silu", [](const Tensor& x) { return at::silu(x); }},
    ActivationRow{"sigmoid", [](const Tensor& x) { return at::sigmoid(x); }},
    ActivationRow{"gelu", [](const Tensor& x) { return at::gelu(x); }},
    ActivationRow{"relu", [](const Tensor& x) { return at::relu(x); }},
};

Tensor activated(const std::string& name, const Tensor& x) {
  for (const ActivationRow& row : kActivations)
    if (row.name == name) return row.apply(x);
  throw std::logic_error("channel mixer: unknown activation '" + name + "'");
}

}  // namespace

Tensor glu(const lcsm::Weights& weights, const std::string& activation, const Tensor& x) {
  const Tensor gate = activated(activation, lcsm::project(weights, "gate", x));
  return lcsm::project(weights, "output", gate * lcsm::project(weights, "value", x));
}

Tensor mlp(const lcsm::Weights& weights, const Tensor& x, const std::string& activation,
           const std::function<Tensor(const Tensor&)>& drop) {
  const Tensor inside = activated(activation, lcsm::project(weights, "up", x));
  return lcsm::project(weights, "down", drop ? drop(inside) : inside);
}

lcsm::BlockResult mlp_block(const lcsm::Block& v, const lcsm::Weights& weights, const Tensor& x,
                            const lcsm::BlockContext& context) {
  return {mlp(weights, x, v.options.text("activation"), context.drop), {}};
}

lcsm::BlockResult glu_block(const lcsm::Block& v, const lcsm::Weights& weights, const Tensor& x,
                            const lcsm::BlockContext&) {
  return {glu(weights, v.options.text("activation"), x), {}};
}

}  // namespace runner
