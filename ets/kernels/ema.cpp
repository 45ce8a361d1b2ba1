// k_t = sum over n of eta_n p_n beta_n (1 - p_n a_n)^t, eta = gamma / sqrt(h): p and a from their
// logits, beta = expand, gamma = shrink.
#include "ets/families/ema.h"

#include <ATen/TensorOperators.h>
#include <ATen/ops/log1p.h>
#include <ATen/ops/sigmoid.h>

#include <cmath>

#include "ets/kernels/kernels.h"

namespace ets {

Filter Ema::filter(const lcsm::Weights& weights, std::int64_t, const lcsm::GpuOrCpu&) const {
  const at::Tensor p = at::sigmoid(weights.at("smoothing_logit"));
  const at::Tensor log_decay = at::log1p(-p * at::sigmoid(weights.at("damping_logit")));
  const double scale = 1 / std::sqrt(static_cast<double>(p.size(2)));
  Filter filter;
  filter.kernel =
      Modes{log_decay, {}, scale * weights.at("shrink") * p * weights.at("expand"), {}, {}};
  filter.truncation = truncation;
  return filter;
}

}  // namespace ets
