#include "runner/training/optimizer.h"

#include <ATen/core/grad_mode.h>
#include <ATen/ops/_foreach_mul.h>
#include <ATen/ops/_foreach_norm.h>
#include <ATen/ops/_fused_adam.h>
#include <ATen/ops/_fused_adamw.h>
#include <ATen/ops/linalg_vector_norm.h>
#include <ATen/ops/stack.h>
#include <ATen/ops/zeros.h>
#include <ATen/ops/zeros_like.h>

#include <stdexcept>

namespace runner {
namespace {

// torch.nn.utils.clip_grad_norm_ divides by the norm and this.
constexpr double kClipEpsilon = 1e-6;

using Update = void(at::TensorList values, at::TensorList gradients, at::TensorList means,
                    at::TensorList squares, at::TensorList largest_squares, at::TensorList steps,
                    double rate, double beta1, double beta2, double decay, double eps, bool amsgrad,
                    bool maximize, const std::optional<at::Tensor>& scale,
                    const std::optional<at::Tensor>& found_inf);

const at::Tensor& found(const std::map<std::string, at::Tensor>& state, const std::string& name,
                        const at::Tensor& like) {
  const auto at = state.find(name);
  if (at == state.end()) throw std::invalid_argument("expected '" + name + "', got none");
  if (at->second.sizes() != like.sizes() || at->second.scalar_type() != like.scalar_type())
    throw std::invalid_argument("'" + name + "' has another shape or dtype");
  return at->second;
}

}  // namespace

Optimizer::Optimizer(const RunConfig& config, const std::vector<ModelParameter>& parameters)
    : decoupled_(config.is("optim.name", "adamw")),
      beta1_(config.real("optim.beta1")),
      beta2_(config.real("optim.beta2")),
      eps_(config.real("optim.eps")) {
  const bool all = config.is("optim.decay_on", "all");
  groups_[0].decay = config.real("optim.decay");
  for (const ModelParameter& parameter : parameters) {
    if (!parameter.trained) continue;
    const bool decays = all || parameter.group == lcsm::ParameterGroup::kMatrices;
    Group& group = groups_[decays ? 0 : 1];
    group.names.push_back(parameter.name);
    group.values.push_back(parameter.tensor);
    group.means.push_back(at::zeros_like(parameter.tensor));
    group.squares.push_back(at::zeros_like(parameter.tensor));
    group.steps.push_back(at::zeros({}, parameter.tensor.options().dtype(at::kFloat)));
  }
}

void Optimizer::clear_gradients() {
  for (Group& group : groups_)
    for (at::Tensor& value : group.values) value.mutable_grad().reset();
}

double Optimizer::collect_gradients(double clip) {
  const at::NoGradGuard raw;
  std::vector<at::Tensor> all;
  for (Group& group : groups_) {
    group.gradients.clear();
    for (at::Tensor& value : group.values) {
      if (!value.grad().defined()) value.mutable_grad() = at::zeros_like(value);
      group.gradients.push_back(value.grad());
      all.push_back(value.grad());
    }
  }
  const double norm = at::linalg_vector_norm(at::stack(at::_foreach_norm(all))).item<double>();
  if (clip > 0 && norm > clip) at::_foreach_mul_(all, clip / (norm + kClipEpsilon));
  return norm;
}

void Optimizer::step(double rate) {
  const at::NoGradGuard raw;
  const auto update =
      decoupled_ ? static_cast<Update*>(at::_fused_adamw_) : static_cast<Update*>(at::_fused_adam_);
  for (Group& group : groups_) {
    if (group.values.empty()) continue;
    for (at::Tensor& steps : group.steps) steps.add_(1);
    update(group.values, group.gradients, group.means, group.squares, {}, group.steps, rate, beta1_,
           beta2_, group.decay, eps_, false, false, {}, {});
  }
}

std::map<std::string, at::Tensor> Optimizer::state() const {
  std::map<std::string, at::Tensor> state;
  for (const Group& group : groups_)
    for (std::size_t i = 0; i < group.names.size(); ++i) {
      state["mean." + group.names[i]] = group.means[i];
      state["square." + group.names[i]] = group.squares[i];
    }
  return state;
}

void Optimizer::load_state(const std::map<std::string, at::Tensor>& state, std::int64_t steps) {
  for (Group& group : groups_)
    for (std::size_t i = 0; i < group.names.size(); ++i) {
      group.means[i].copy_(found(state, "mean." + group.names[i], group.means[i]));
      group.squares[i].copy_(found(state, "square." + group.names[i], group.squares[i]));
      group.steps[i].fill_(static_cast<double>(steps));
    }
}

}  // namespace runner
