#include "runner/train/bench/bench_ets_case.h"

#include <ATen/CPUGeneratorImpl.h>
#include <ATen/TensorOperators.h>
#include <ATen/core/grad_mode.h>
#include <ATen/ops/randn.h>
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <utility>

#include "ets/layer/layer.h"

namespace runner {

using at::Tensor;

namespace {

std::optional<lcsm::Block> block_of(const EtsCaseRow& row, std::int64_t d) {
  if (row.family == nullptr) return std::nullopt;
  lcsm::Options options = lcsm::options_of(*row.family);
  for (const std::string_view setting : row.settings) options.set(setting);
  return lcsm::make_block(*row.family, options, d);
}

}  // namespace

EtsCase::EtsCase(const EtsCaseRow& row, const EtsShape& shape, const at::TensorOptions& options)
    : row_(row), block_(block_of(row, shape.D)) {
  at::Generator generator = at::make_generator<at::CPUGeneratorImpl>(1);
  const auto normal = [&](at::IntArrayRef sizes) {
    return at::randn(sizes, generator, at::kDouble);
  };
  const auto leaf = [&](const Tensor& value) { return value.to(options).clone().requires_grad_(); };
  inputs_.x = leaf(normal({shape.B, shape.T, shape.D}));
  d_y_ = normal({shape.B, shape.T, shape.D}).to(options);
  if (!block_) {
    inputs_.weights["kernel"] = leaf(normal({1, shape.D, shape.T}) / std::sqrt(shape.T));
    return;
  }
  for (const lcsm::Parameter& tensor : tensors_of(*block_))
    if (tensor.of_kernel) inputs_.weights[tensor.name] = leaf(lcsm::first_values(tensor, {}, 1));
}

ets::Filter EtsCase::filter(const lcsm::GpuOrCpu& gpu) const {
  if (block_) return ets::filter_of(*block_, inputs_.weights, inputs_.x.size(1), false, gpu);
  ets::Filter filter;
  filter.kernel = ets::Taps{inputs_.weights.at("kernel")};
  return filter;
}

Tensor EtsCase::ours(const ets::On& on) const { return filtered(on, filter(on.gpu), inputs_.x).y; }

ets::Choice EtsCase::chosen(const ets::On& on) const {
  const at::NoGradGuard none;
  return ets::chosen_machine(on, filter(on.gpu), inputs_.x);
}

ContestInputs EtsCase::with_gradients() const {
  ContestInputs all{{"x"}, {inputs_.x}, d_y_};
  for (const auto& [name, tensor] : inputs_.weights) {
    all.names.push_back(name);
    all.leaves.push_back(tensor);
  }
  return all;
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

EtsResult bench_ets_case(const EtsCaseRow& row, const EtsShape& shape, at::ScalarType dtype,
                         ets::FilterMachine machine, double budget, bool against,
                         const ComputeDevice& device) {
  const ets::On on(machine, device.gpu);
  const EtsCase of(row, shape, at::TensorOptions(dtype).device(device.memory));
  const ets::Choice chosen = of.chosen(on);
  // Covers sums over T in another order, and the authors' float32 phases, which lose digits as T
  // grows.
  const double tolerance =
      (dtype == at::kDouble ? 1e-9 : 1e-3) * std::max(1.0, static_cast<double>(shape.T) / 4096);
  const ContestRules rules{
      fmt::format("bench ets: {} at {},{},{} in {}", row.name, shape.B, shape.T, shape.D,
                  c10::toString(dtype)),
      tolerance, "'lcsm-train apply --machine reference' computes the definition", budget};
  std::vector<Contestant> both = contest(
      {{"ours", [&] { return of.ours(on); }},
       {std::string(row.formulation), [&] { return of.theirs(); }, against ? "" : "not asked for"}},
      of.with_gradients(), rules, device);
  const double steps = static_cast<double>(shape.B * shape.T) * static_cast<double>(shape.D);
  return {&row,
          shape,
          std::string(to_string(chosen.machine)),
          chosen.why,
          {steps * of.operations(false), steps * of.operations(true)},
          std::move(both[0]),
          std::move(both[1])};
}

}  // namespace runner
