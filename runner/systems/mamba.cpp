#include "runner/systems/mamba.h"

#include <algorithm>
#include <cmath>
#include <stdexcept>

#include "lcsm/block/block_tensors.h"
#include "lcsm/code/plan.h"

namespace runner {
namespace {

using Group = lcsm::BlockTensors::Group;

// The first value of output.weight, divided by the root of the model's layers.
void start_residual(std::int64_t layers, lcsm::Parameters* tensors) {
  const double root = std::sqrt(static_cast<double>(layers));
  for (lcsm::Parameter& tensor : *tensors) {
    if (tensor.name != "output.weight") continue;
    tensor.start += " / sqrt(layers)";
    tensor.drawn = [usual = std::move(tensor.drawn), root](std::uint64_t seed) {
      lcsm::Values values = usual(seed);
      for (double& value : values) value /= root;
      return values;
    };
  }
}

}  // namespace

lcsm::Parameters Mamba::tensors(std::int64_t d) const {
  const std::int64_t E = channels(d), N = state, r = step_rank(d);
  lcsm::BlockTensors tensors;
  const auto put_projection = [&](const char* name, std::int64_t outputs, std::int64_t inputs) {
    if (bias)
      tensors.put_linear(name, outputs, inputs);
    else
      tensors.put_matrix(name, outputs, inputs);
  };
  const auto by = [](std::int64_t count) {
    return [count](lcsm::Random& random) {
      return (2 * random.uniform() - 1) / std::sqrt(static_cast<double>(count));
    };
  };
  put_projection("input", 2 * E, d);
  tensors.put_around("conv.weight", {E, taps}, Group::kMatrices, by(taps));
  if (conv_bias) tensors.put_around("conv.bias", {E}, Group::kNorm, by(taps));
  tensors.put_matrix("select", r + 2 * groups * N, E);
  tensors.put_matrix("step", E, r);
  tensors.put_step({step_min, step_max}, "step.bias", {E}, /*softplus=*/true);
  lcsm::Values rates(static_cast<std::size_t>(N));
  for (std::size_t n = 0; n < rates.size(); ++n) rates[n] = std::log(static_cast<double>(n + 1));
  tensors.put_rows("log_decay", {E, N}, Group::kGate, "log(1 + index)", rates);
  tensors.put_constant("skip", {E}, Group::kNorm, 1);
  put_projection("output", d, E);
  lcsm::Parameters all = tensors.take();
  start_residual(layers, &all);
  return all;
}

void Mamba::check(std::int64_t d) const {
  if (channels(d) % groups != 0)
    throw std::invalid_argument("mamba: expected groups that divide the " +
                                std::to_string(channels(d)) + " inner channels, got " +
                                std::to_string(groups));
}

lcsm::Mixing Mamba::mixing(std::int64_t d, double) const {
  const double E = lcsm::real(channels(d)), C = lcsm::real(taps);
  const lcsm::Cost scan =
      lcsm::cost_of(coded({.oscillation = {.name = "mamba", .o = "exp(-abs(p_d * w_kd))"},
                           .k = static_cast<int>(state),
                           .d = static_cast<int>(channels(d))},
                          d, 1)
                        .variant);
  return {"fused scan", lcsm::real(scan.recurrence_flops) + lcsm::convolution(C, E),
          lcsm::real(scan.state) + (C - 1) * E};
}

lcsm::Parameters Mamba2::tensors(std::int64_t d) const {
  lcsm::Parameters all = block_tensors(parts(d));
  start_residual(layers, &all);
  return all;
}

EosParts Mamba2::parts(std::int64_t d) const {
  const std::int64_t all = size_or(inner, 2 * d);
  EosParts parts = coded({.oscillation = {.name = "mamba_2",
                                          .o = "exp(-exp(w) * softplus(p))",
                                          .scale = "softplus(p)",
                                          .inits = {{"w", "log(8.5 + 7.5 * uniform)"}}},
                          .k = static_cast<int>(state),
                          .d = static_cast<int>(all)},
                         d, size_or(heads, std::max<std::int64_t>(1, all / 64)));
  const auto init = [](const std::string& formula) {
    return lcsm::parse_formula(formula, lcsm::FormulaUse::kInit);
  };
  // softplus(b) is log-uniform from 0.001 to 0.1
  parts.biases["oscillation.p"] =
      init("log(exp(exp(log(0.001) + 0.5 * log(100) * (1 + uniform))) - 1)");
  parts.shares_stages = true;
  parts.taps = conv;
  for (const char* name : {"input_conv", "expand_conv", "shrink_conv"})
    parts.biases[name] = init("uniform/sqrt(" + std::to_string(conv) + ")");
  parts.skip = true;
  parts.norm = OutputNorm::kRms;
  parts.gate = OutputGate::kSilu;
  parts.gates_first = true;
  return parts;
}

}  // namespace runner
