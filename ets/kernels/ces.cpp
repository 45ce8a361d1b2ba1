// k_t = Re(e^beta (1 - e^q) e^(q t)), q = e^l (e^a1 + i e^a2): l = log_rate, a = log_step,
// beta = log_expand. Re q is bounded so that |e^q| <= max_lambda.
#include "ets/families/ces.h"

#include <ATen/TensorOperators.h>
#include <ATen/ops/clamp_max.h>
#include <ATen/ops/complex.h>
#include <ATen/ops/exp.h>
#include <ATen/ops/expm1.h>
#include <ATen/ops/imag.h>
#include <ATen/ops/log1p.h>
#include <ATen/ops/ones_like.h>
#include <ATen/ops/real.h>
#include <ATen/ops/sigmoid.h>
#include <ATen/ops/sqrt.h>

#include <cmath>

#include "ets/kernels/kernels.h"

namespace ets {
namespace {

using at::Tensor;

// The damped smoothing: k_t = p beta (1 - p a)^t.
Modes real_modes(const lcsm::Weights& weights) {
  const Tensor p = at::sigmoid(weights.at("smoothing_logit"));
  const Tensor log_decay = at::log1p(-p * at::sigmoid(weights.at("damping_logit")));
  const auto expand = weights.find("expand");
  const Tensor weight = expand == weights.end() ? p : p * expand->second;
  return {log_decay.unsqueeze(-1), {}, weight.unsqueeze(-1), {}, {}};
}

Modes complex_modes(const lcsm::Weights& weights, const CesOptions& options) {
  Tensor q = at::exp(complex_of(weights.at("log_rate")));
  if (const auto step = weights.find("log_step"); step != weights.end())
    q = q * complex_of(at::exp(step->second));
  q = at::complex(at::clamp_max(at::real(q), std::log(options.max_lambda)), at::imag(q));
  if (options.slow) q = 0.06 * q;
  Tensor weight = 1 - at::exp(q);
  if (const auto expand = weights.find("log_expand"); expand != weights.end())
    weight = weight * at::exp(complex_of(expand->second));
  if (options.balance) weight = weight * at::sqrt(-at::expm1(2 * at::real(q)));
  return modes_of_log_decay(q.unsqueeze(-1), weight.unsqueeze(-1));
}

}  // namespace

Filter Ces::filter(const lcsm::Weights& weights, std::int64_t, const lcsm::GpuOrCpu&) const {
  Filter filter;
  filter.kernel = form == "real" ? real_modes(weights) : complex_modes(weights, *this);
  filter.normalized = normalize && !bidirectional;
  return filter;
}

}  // namespace ets
