#include "runner/models/skeletons/norms.h"

#include <ATen/TensorOperators.h>
#include <ATen/ops/batch_norm.h>
#include <ATen/ops/layer_norm.h>
#include <ATen/ops/rms_norm.h>

#include <array>
#include <stdexcept>
#include <string>

namespace runner {
namespace {

using at::Tensor;
using lcsm::Weights;

constexpr double kMomentum = 0.1;

Tensor layer(const Weights& w, const Tensor& x, bool) {
  return at::layer_norm(x, {x.size(-1)}, w.at("weight"), w.at("bias"), lcsm::kNormEpsilon);
}

Tensor batch(const Weights& w, const Tensor& x, bool training) {
  return at::batch_norm(x.reshape({-1, x.size(-1)}), w.at("weight"), w.at("bias"), w.at("mean"),
                        w.at("variance"), training, kMomentum, lcsm::kNormEpsilon,
                        /*cudnn_enabled=*/false)
      .view(x.sizes());
}

Tensor simple(const Weights&, const Tensor& x, bool) {
  return at::rms_norm(x, {x.size(-1)}, std::nullopt, lcsm::kNormEpsilon);
}

Tensor weighted(const Weights& w, const Tensor& x, bool) {
  return simple(w, x, false) * w.at("weight");
}

struct NormRow {
  std::string_view name;
  Tensor (*apply)(const Weights&, const Tensor&, bool training);
};
constexpr std::array kNormRows = {
    NormRow{"layer", layer},
    NormRow{"batch", batch},
    NormRow{"rms", weighted},
    NormRow{"scale", weighted},
    NormRow{"simple", simple},
    NormRow{"none", [](const Weights&, const Tensor& x, bool) { return x; }},
};

}  // namespace

Tensor normed(std::string_view kind, const Weights& weights, const Tensor& x, bool training) {
  for (const NormRow& row : kNormRows)
    if (row.name == kind) return row.apply(weights, x, training);
  throw std::logic_error("norm: unknown kind '" + std::string(kind) + "'");
}

}  // namespace runner
