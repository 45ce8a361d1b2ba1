// k_t = 2 Re(sum over n of C_n B_n w_n e^(t log q_n)), A = rates, dt the step:
//   zoh       q = e^(dt A),                          w = (e^(dt A) - 1) / A
//   bilinear  q = (1 + dt A / 2) / (1 - dt A / 2),   w = dt / (1 - dt A / 2)
//   dss       no factor 2, see dss.cpp
#include <ATen/TensorOperators.h>
#include <ATen/ops/expm1.h>

#include "ets/kernels/kernels.h"
#include "ets/kernels/softmax.h"

namespace ets {

using at::Tensor;

Filter diagonal_filter(const lcsm::Weights& weights, std::string_view rule, const StepWord& step,
                       std::int64_t T, const lcsm::GpuOrCpu& gpu) {
  const bool real = !weights.contains("frequency");
  const auto value = [&](const char* name) {
    return real ? weights.at(name) : complex_of(weights.at(name));
  };
  Tensor weight = value("shrink");  // [G, D, M]
  const std::int64_t d = weight.size(1);
  if (weights.contains("expand")) weight = weight * for_channels(value("expand"), d);
  const Tensor A = rates_of(weights, d), raw = weights.at("raw_step");
  const Tensor dt = step_of(step, raw.dim() == 1 ? raw.unsqueeze(1) : raw), dtA = dt * A;
  Filter filter;
  if (rule == "dss") {
    filter.kernel = softmax_modes(dtA, A, weight, T, Guard::kSum, gpu);
    filter.of_length = true;
  } else if (rule == "zoh") {
    filter.kernel = modes_of_log_decay(dtA, 2 * weight * at::expm1(dtA) / A);
  } else {
    filter.kernel = modes_of_decay((1 + dtA / 2) / (1 - dtA / 2), 2 * weight * dt / (1 - dtA / 2));
  }
  return filter;
}

Filter S4d::filter(const lcsm::Weights& weights, std::int64_t T, const lcsm::GpuOrCpu& gpu) const {
  return diagonal_filter(weights, discretization.text(), step, T, gpu);
}

}  // namespace ets
