// t_l = gamma^|l| network(l), with the raw lag l = i - j. The network: position, then layers of
// norm, ReLU and linear, then norm, ReLU and coefficient. Lag 0 is the first tap, -1 the first
// backward one.
#include "ets/families/tnn.h"

#include <ATen/TensorOperators.h>
#include <ATen/ops/arange.h>
#include <ATen/ops/cat.h>
#include <ATen/ops/linalg_vector_norm.h>
#include <ATen/ops/pow.h>
#include <ATen/ops/relu.h>

#include <cmath>

#include "ets/kernels/kernels.h"
#include "lcsm/tensors/product.h"

namespace ets {
namespace {

using at::Tensor;

// x / (root of its mean square + 1e-8), the authors' simple RMSNorm.
Tensor normed(const Tensor& x) {
  constexpr double kLeast = 1e-8;
  const double root = std::sqrt(static_cast<double>(x.size(-1)));
  return x / (at::linalg_vector_norm(x, 2, at::IntArrayRef({-1}), true) / root + kLeast);
}

// [lags] to [lags, channels].
Tensor network(const lcsm::Weights& weights, const Tensor& lags) {
  const Tensor& hidden = weights.at("hidden.weight");
  Tensor x =
      lcsm::affine(lags.unsqueeze(1), weights.at("position.weight"), weights.at("position.bias"));
  for (std::int64_t n = 0; n < hidden.size(0); ++n)
    x = lcsm::affine(at::relu(normed(x)), hidden[n], weights.at("hidden.bias")[n]);
  return lcsm::affine(at::relu(normed(x)), weights.at("coefficient.weight"),
                      weights.at("coefficient.bias"));
}

}  // namespace

Filter Tnn::filter(const lcsm::Weights& weights, std::int64_t T, const lcsm::GpuOrCpu&) const {
  const std::int64_t G = bidirectional ? 2 : 1;
  const Tensor& weight = weights.at("coefficient.weight");
  Tensor lags = at::arange(T, weight.options().dtype(at::kDouble).requires_grad(false));
  if (G == 2) lags = at::cat({lags, -1 - lags});
  const Tensor decay = at::pow(gamma, lags.abs()).to(weight.options());
  const Tensor values = network(weights, lags.to(weight.options())) * decay.unsqueeze(1);
  Filter filter;
  filter.kernel = Taps{values.view({G, T, weight.size(0)}).transpose(1, 2)};
  filter.of_length = true;  // every step of the past matters: there is no finite state
  return filter;
}

}  // namespace ets
