#include "runner/train/bench/bench_ets_case.h"

#include <ATen/CPUGeneratorImpl.h>
#include <ATen/TensorOperators.h>
#include <ATen/core/grad_mode.h>
#include <ATen/ops/randn.h>
#include <fmt/format.h>
#include <torch/csrc/autograd/autograd.h>

#include <algorithm>
#include <cmath>
#include <stdexcept>

#include "ets/layer/layer.h"
#include "lcsm/measure/peak_memory.h"
#include "runner/train/bench/bench_peers.h"
#include "runner/train/bench/timed.h"

namespace runner {

using at::Tensor;

namespace {

ets::Options options_of(const EtsCaseRow& row) {
  if (row.family == nullptr) return {"long", {}};
  ets::Options options(row.family->name, row.family->options);
  for (const std::string_view setting : row.settings) options.set(setting);
  return options;
}

class EtsContest {
 public:
  EtsContest(const EtsCaseRow& row, const EtsShape& shape, at::ScalarType dtype,
             ets::Machine machine, const ComputeDevice& device)
      : dtype_(dtype),
        on_(machine, device.gpu),
        device_(device),
        case_(row, shape, at::TensorOptions(dtype).device(device.memory)),
        evict_(eviction(device)) {
    const double steps = static_cast<double>(shape.B * shape.T) * static_cast<double>(shape.D);
    result_ = {&row,
               shape,
               std::string(to_string(case_.chosen(on_).machine)),
               case_.chosen(on_).why,
               {steps * case_.operations(false), steps * case_.operations(true)},
               {"ours", {}, {}, 0, 0, ""},
               {std::string(row.formulation), {}, {}, 0, 0, ""}};
  }

  EtsResult run(double budget, const std::string& refusal) {
    result_.theirs.refusal = refusal;
    compare();
    Turn ours = turn_of(&result_.ours), theirs = turn_of(&result_.theirs);
    const Stopwatch watch;
    for (int round = 0; round < 3 || watch.seconds() < budget; ++round) {
      const double turns = ran(result_.theirs) && !result_.theirs.both.empty()
                               ? result_.theirs.both.back() / result_.ours.both.back()
                               : 1;
      for (int turn = 0; turn < std::clamp(turns, 1.0, 5.0); ++turn) ours.take();
      if (ran(result_.theirs)) theirs.take();
    }
    return std::move(result_);
  }

 private:
  Turn turn_of(Contestant* of) {
    return {of,
            {device_.gpu.get(),
             [this, of] {
               const at::NoGradGuard none;
               output(*of);
             },
             evict_},
            {device_.gpu.get(), [this, of] { case_.gradients_of(output(*of)); }, evict_}};
  }

  static bool ran(const Contestant& contestant) { return contestant.refusal.empty(); }
  Tensor output(const Contestant& of) const {
    return &of == &result_.ours ? case_.ours(on_) : case_.theirs();
  }

  std::vector<Tensor> outcome(Contestant* of) const {
    const lcsm::PeakMemory memory;
    std::vector<Tensor> all{output(*of)};
    for (Tensor& gradient : case_.gradients_of(all[0])) all.push_back(std::move(gradient));
    of->peak = device_.gpu ? 0 : memory.peak();
    return all;
  }

  void compare() {
    const std::vector<Tensor> ours = outcome(&result_.ours);
    if (!ran(result_.theirs)) return;
    const std::vector<Tensor> theirs = outcome(&result_.theirs);
    const std::vector<std::string> names = case_.names();
    for (std::size_t n = 0; n < ours.size(); ++n)
      compare(n == 0 ? "the output" : "the gradient of '" + names[n - 1] + "'", ours[n], theirs[n]);
  }
  void compare(const std::string& tensor, const Tensor& ours, const Tensor& theirs) {
    const Tensor a = ours.detach().to(at::kDouble), b = theirs.detach().to(at::kDouble);
    const double size = a.norm().item<double>(), off = (a - b).norm().item<double>();
    const double most = ets_tolerance(dtype_, result_.shape.T);
    if (!(std::isfinite(size) && off <= most * size))
      throw std::runtime_error(fmt::format(
          "bench ets: {} at {},{},{} in {}: {} of '{}' differs from ours by {:.2g} of its norm, "
          "expected at most {:.2g}; 'lcsm-train apply --machine reference' computes the definition",
          result_.row->name, result_.shape.B, result_.shape.T, result_.shape.D,
          c10::toString(dtype_), tensor, result_.theirs.name, off / size, most));
    if (off > 0) result_.theirs.difference = std::max(result_.theirs.difference, off / size);
  }

  const at::ScalarType dtype_;
  const ets::On on_;
  const ComputeDevice& device_;
  const EtsCase case_;
  const std::function<void()> evict_;
  EtsResult result_;
};

}  // namespace

EtsCase::EtsCase(const EtsCaseRow& row, const EtsShape& shape, const at::TensorOptions& options)
    : row_(row), options_(options_of(row)) {
  at::Generator generator = at::make_generator<at::CPUGeneratorImpl>(1);
  const auto normal = [&](at::IntArrayRef sizes) {
    return at::randn(sizes, generator, at::kDouble);
  };
  const auto leaf = [&](const Tensor& value) { return value.to(options).clone().requires_grad_(); };
  inputs_.x = leaf(normal({shape.B, shape.T, shape.D}));
  d_y_ = normal({shape.B, shape.T, shape.D}).to(options);
  if (row.family == nullptr) {
    inputs_.weights["kernel"] = leaf(normal({1, shape.D, shape.T}) / std::sqrt(shape.T));
    return;
  }
  for (const ets::Parameter& tensor : tensors_of(ets::make_variant(*row.family, options_, shape.D)))
    if (tensor.of_kernel) inputs_.weights[tensor.name] = leaf(ets::first_values(tensor, 1));
}

ets::Filter EtsCase::filter(const lcsm::GpuOrCpu& gpu) const {
  ets::Filter filter = row_.filter(inputs_.weights, options_, inputs_.x.size(1), gpu);
  if (row_.family != nullptr)
    filter.backward_lag = static_cast<std::int64_t>(row_.family->backward_lag);
  return filter;
}

Tensor EtsCase::ours(const ets::On& on) const { return filtered(on, filter(on.gpu), inputs_.x).y; }

ets::Choice EtsCase::chosen(const ets::On& on) const {
  const at::NoGradGuard none;
  return ets::chosen_machine(on, filter(on.gpu), inputs_.x);
}

std::vector<std::string> EtsCase::names() const {
  std::vector<std::string> names = {"x"};
  for (const auto& [name, tensor] : inputs_.weights) names.push_back(name);
  return names;
}

std::vector<Tensor> EtsCase::gradients_of(const Tensor& y) const {
  std::vector<Tensor> leaves = {inputs_.x};
  for (const auto& [name, tensor] : inputs_.weights) leaves.push_back(tensor);
  return torch::autograd::grad({y}, leaves, {d_y_});
}

// A real mode: 2 multiply-adds to step and read it; backward 1 to step it again, and 4 for the
// gradients of x, its decay and its weight. A complex one 6 and 16. A transform of n real
// numbers: 2.5 n log2 n operations, two for a sequence, and three more backward.
double EtsCase::operations(bool backward) const {
  const at::NoGradGuard none;
  const ets::Filter made = filter();
  if (const auto* modes = std::get_if<ets::Modes>(&made.kernel)) {
    const auto count = static_cast<double>(modes->weight.size(0) * modes->weight.size(2));
    if (modes->angle.defined()) return 2 * count * (backward ? 22 : 6);
    return 2 * count * (backward ? 7 : 2);
  }
  return 5 * std::log2(2 * static_cast<double>(inputs_.x.size(1))) * (backward ? 5 : 2);
}

// The tolerance covers sums over T in another order, and the authors' float32 phases, which lose
// digits as T grows.
double ets_tolerance(at::ScalarType dtype, std::int64_t T) {
  return (dtype == at::kDouble ? 1e-9 : 1e-3) * std::max(1.0, static_cast<double>(T) / 4096);
}

EtsResult bench_ets_case(const EtsCaseRow& row, const EtsShape& shape, at::ScalarType dtype,
                         ets::Machine machine, double budget, bool against,
                         const ComputeDevice& device) {
  EtsContest contest(row, shape, dtype, machine, device);
  return contest.run(budget, against ? "" : "not asked for");
}

}  // namespace runner
