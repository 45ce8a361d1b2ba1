#include <ATen/TensorOperators.h>
#include <ATen/ops/complex.h>
#include <ATen/ops/exp.h>
#include <ATen/ops/imag.h>
#include <ATen/ops/log.h>
#include <ATen/ops/real.h>
#include <ATen/ops/softplus.h>
#include <ATen/ops/where.h>

#include <numbers>

#include "ets/kernels/kernels.h"

namespace ets {

using at::Tensor;

Tensor step_of(const StepWord& step, const Tensor& raw) {
  // The threshold above which LibTorch replaces softplus(x) by x: invisible in float64.
  return step == "exp" ? at::exp(raw) : at::softplus(raw, 1, 40);
}

Tensor for_channels(const Tensor& systems, std::int64_t d) {
  if (systems.size(0) == d) return systems;
  std::vector<std::int64_t> copies(static_cast<std::size_t>(systems.dim()), 1);
  copies[0] = d / systems.size(0);
  return systems.repeat(copies);
}

Tensor rates_of(const lcsm::Weights& weights, std::int64_t d) {
  const Tensor real = -at::exp(weights.at("log_decay"));
  const auto frequency = weights.find("frequency");
  return for_channels(frequency == weights.end() ? real : at::complex(real, frequency->second), d);
}

Modes modes_of_log_decay(const Tensor& log_decay, const Tensor& weight) {
  if (!log_decay.is_complex()) return {log_decay, {}, weight, {}, {}};
  return {at::real(log_decay), at::imag(log_decay), at::real(weight), at::imag(weight), {}};
}

Modes modes_of_decay(const Tensor& decay, const Tensor& weight) {
  if (decay.is_complex()) return modes_of_log_decay(at::log(decay), weight);
  const Tensor half_turn =
      at::where(decay.detach() < 0, std::numbers::pi, 0.0).to(decay.scalar_type());
  return {at::log(decay.abs()), half_turn, weight, {}, {}};
}

}  // namespace ets
