#include "runner/models/channel_mixers.h"

#include <ATen/TensorOperators.h>
#include <ATen/ops/gelu.h>
#include <ATen/ops/relu.h>
#include <ATen/ops/sigmoid.h>
#include <ATen/ops/silu.h>

#include <array>
#include <stdexcept>

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
  throw std::logic_error("glu: unknown activation '" + name + "'");
}

}  // namespace

Tensor glu(const lcsm::Weights& weights, const std::string& activation, const Tensor& x) {
  const Tensor gate = activated(activation, lcsm::project(weights, "gate", x));
  return lcsm::project(weights, "output", gate * lcsm::project(weights, "value", x));
}

Tensor mlp(const lcsm::Weights& weights, const Tensor& x) {
  return lcsm::project(weights, "down", at::gelu(lcsm::project(weights, "up", x)));
}

}  // namespace runner
