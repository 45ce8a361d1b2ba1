#include "runner/models/skeletons/norms.h"

#include <ATen/TensorOperators.h>
#include <ATen/ops/batch_norm.h>

#include <array>
#include <stdexcept>
#include <string>

namespace runner {
namespace {

using at::Tensor;
using lcsm::Weights;

constexpr double kMomentum = 0.1;

Tensor batch(const Weights& w, const Tensor& x, bool training) {
  return at::batch_norm(x.reshape({-1, x.size(-1)}), w.at("weight"), w.at("bias"), w.at("mean"),
                        w.at("variance"), training, kMomentum, lcsm::kNormEpsilon,
                        /*cudnn_enabled=*/false)
      .view(x.sizes());
}

struct NormRow {
  std::string_view name;
  lcsm::Norm (*norm)(const Weights&);  // null: another function
  Tensor (*apply)(const Weights&, const Tensor&, bool training) = nullptr;
};

lcsm::Norm weighted(const Weights& w) { return {.centered = false, .weight = w.at("weight")}; }

constexpr std::array kNormRows = {
    NormRow{"layer",
            [](const Weights& w) {
              return lcsm::Norm{.weight = w.at("weight"), .bias = w.at("bias")};
            }},
    NormRow{"batch", nullptr, batch},
    NormRow{"rms", weighted},
    NormRow{"scale", weighted},
    NormRow{"simple", [](const Weights&) { return lcsm::Norm{.centered = false}; }},
    NormRow{"none", nullptr, [](const Weights&, const Tensor& x, bool) { return x; }},
};

}  // namespace

lcsm::NormedSum normed_sum(const NormOf& norm, const Tensor& residual, const Tensor& x) {
  for (const NormRow& row : kNormRows) {
    if (row.name != norm.kind) continue;
    if (row.norm != nullptr)
      return lcsm::normed_sum(row.norm(norm.weights), residual, x, norm.read_by, norm.gpu);
    const Tensor sum = residual.defined() ? residual.add(x) : x;
    return {sum, row.apply(norm.weights, sum, norm.training)};
  }
  throw std::logic_error("norm: unknown kind '" + std::string(norm.kind) + "'");
}

Tensor normed(std::string_view kind, const Weights& weights, const Tensor& x, bool training) {
  return normed_sum({kind, weights, training}, {}, x).normed;
}

}  // namespace runner
