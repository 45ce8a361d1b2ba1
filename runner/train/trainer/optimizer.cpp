#include "runner/train/trainer/optimizer.h"

#include <ATen/TensorOperators.h>
#include <ATen/core/grad_mode.h>
#include <ATen/ops/_foreach_add.h>
#include <ATen/ops/_foreach_mul.h>
#include <ATen/ops/_foreach_norm.h>
#include <ATen/ops/_fused_adam.h>
#include <ATen/ops/_fused_adamw.h>
#include <ATen/ops/linalg_vector_norm.h>
#include <ATen/ops/scalar_tensor.h>
#include <ATen/ops/stack.h>
#include <ATen/ops/zeros.h>
#include <ATen/ops/zeros_like.h>

#include <array>
#include <optional>

#include "lcsm/base/words.h"
#include "runner/config/keys/optim_keys.h"
#include "runner/config/keys/optimizer_rows.h"
#include "runner/train/trainer/checkpoint.h"
#include "runner/train/trainer/optimizer_gpu.h"

namespace runner {
namespace {

// torch.nn.utils.clip_grad_norm_ divides by the norm and this.
constexpr double kClipEpsilon = 1e-6;

using FusedAdam = void(at::TensorList values, at::TensorList gradients, at::TensorList means,
                       at::TensorList squares, at::TensorList largest_squares, at::TensorList steps,
                       const at::Tensor& rate, double beta1, double beta2, double decay, double eps,
                       bool amsgrad, bool maximize, const std::optional<at::Tensor>& scale,
                       const std::optional<at::Tensor>& found_inf);

template <FusedAdam* fused>
void adam(const ParameterGroup& group, const OptimizerSettings& settings, const at::Tensor& rate) {
  fused(group.values, group.gradients, group.state[0], group.state[1], {}, group.steps, rate,
        settings.beta1, settings.beta2, group.decay, settings.eps, false, false, {}, {});
}

struct Row {
  std::string_view name;  // as in optimizer_rows.h
  UpdateParameters* update;
  bool decoupled;
};

constexpr std::array kOptimizerUpdates = {
    Row{"adamw", adam<at::_fused_adamw_>, true},
    Row{"adam", adam<at::_fused_adam_>, false},
};
static_assert(lcsm::same_names(kOptimizerUpdates, kOptimizerRows));

// LibTorch's sum of many squares loses digits in float32: 0.1 % of the norm at 25 million entries.
constexpr std::int64_t kNormOver = 65536;

at::Tensor norm_of(const std::vector<at::Tensor>& all) {
  std::vector<at::Tensor> parts;
  for (const at::Tensor& each : all)
    if (each.numel() <= kNormOver || each.scalar_type() != at::kFloat)
      parts.push_back(each);
    else
      for (const at::Tensor& part : each.reshape(-1).split(kNormOver)) parts.push_back(part);
  return at::linalg_vector_norm(at::stack(at::_foreach_norm(parts)));
}

bool decays(const RunConfig& config, lcsm::ParameterGroup group) {
  if (config.is("optim.decay_on"_key, "matrices")) return group == lcsm::ParameterGroup::kMatrices;
  return config.is("optim.decay_on"_key, "all") || group != lcsm::ParameterGroup::kGate;
}

}  // namespace

Optimizer::Optimizer(const RunConfig& config, const std::vector<ModelParameter>& parameters,
                     std::shared_ptr<lcsm::Gpu> gpu)
    : kinds_(lcsm::words_of(config.optimizer().state)) {
  const Row& row = lcsm::row_for(kOptimizerUpdates, kOptimizerRows, config.optimizer());
  update_ = row.update;
  settings_ = {config.real("optim.beta1"_key), config.real("optim.beta2"_key),
               config.real("optim.eps"_key), row.decoupled};
  const double decay = config.real("optim.decay"_key), gate_rate = config.real("optim.gate_lr"_key),
               gate_share = gate_rate > 0 ? gate_rate / config.real("optim.lr"_key) : 1;
  for (const ModelParameter& parameter : parameters) {
    if (!parameter.trained) continue;
    const bool of_gate = parameter.group == lcsm::ParameterGroup::kGate;
    ParameterGroup& group =
        group_with(decays(config, parameter.group) ? decay : 0, of_gate ? gate_share : 1);
    group.names.push_back(parameter.name);
    group.values.push_back(parameter.tensor);
    for (auto& state : group.state) state.push_back(at::zeros_like(parameter.tensor));
    group.steps.push_back(at::zeros({}, parameter.tensor.options().dtype(at::kFloat)));
  }
  if (gpu) flat_ = std::make_unique<FlatAdam>(std::move(gpu), settings_, &groups_);
}

Optimizer::~Optimizer() = default;

ParameterGroup& Optimizer::group_with(double decay, double rate) {
  for (ParameterGroup& group : groups_)
    if (group.decay == decay && group.rate == rate) return group;
  groups_.push_back({.decay = decay, .rate = rate});
  groups_.back().state.resize(kinds_.size());
  return groups_.back();
}

void Optimizer::clear_gradients() {
  for (ParameterGroup& group : groups_)
    for (at::Tensor& value : group.values) value.mutable_grad().reset();
}

std::vector<at::Tensor> Optimizer::gather() {
  std::vector<at::Tensor> all;
  for (ParameterGroup& group : groups_) {
    group.gradients.clear();
    for (at::Tensor& value : group.values) {
      if (!value.grad().defined()) value.mutable_grad() = at::zeros_like(value);
      group.gradients.push_back(value.grad());
      all.push_back(value.grad());
    }
  }
  return all;
}

double Optimizer::collect_gradients(double clip) {
  const at::NoGradGuard raw;
  const std::vector<at::Tensor> all = gather();
  const double norm = norm_of(all).item<double>();
  if (clip > 0 && norm > clip) at::_foreach_mul_(all, clip / (norm + kClipEpsilon));
  return norm;
}

void Optimizer::step(double rate) {
  const at::NoGradGuard raw;
  for (ParameterGroup& group : groups_) {
    at::_foreach_add_(group.steps, 1);
    update_(group, settings_, at::scalar_tensor(rate * group.rate, at::kDouble));
  }
}

void Optimizer::queue(const DeviceStep& step) { flat_->queue(groups_, step); }

std::map<std::string, at::Tensor> Optimizer::state() const {
  std::map<std::string, at::Tensor> state;
  for (const ParameterGroup& group : groups_)
    for (std::size_t kind = 0; kind < kinds_.size(); ++kind)
      for (std::size_t i = 0; i < group.names.size(); ++i)
        state[kinds_[kind] + "." + group.names[i]] = group.state[kind][i];
  return state;
}

void Optimizer::load_state(const std::map<std::string, at::Tensor>& state, std::int64_t steps) {
  for (ParameterGroup& group : groups_) {
    for (std::size_t kind = 0; kind < kinds_.size(); ++kind)
      for (std::size_t i = 0; i < group.names.size(); ++i) {
        const at::Tensor& tensor = group.state[kind][i];
        tensor.copy_(tensor_in(state, kinds_[kind] + "." + group.names[i], tensor));
      }
    for (at::Tensor& count : group.steps) count.fill_(static_cast<double>(steps));
  }
  if (flat_) flat_->set_steps(steps);
}

}  // namespace runner
