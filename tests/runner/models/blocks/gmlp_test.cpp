#include <ATen/TensorOperators.h>
#include <ATen/ops/zeros_like.h>
#include <gtest/gtest.h>

#include "tests/ets/layer/official_cases.h"
#include "tests/lcsm/layer/layer_cases.h"
#include "tests/runner/models/blocks/layer_of.h"

namespace runner {
namespace {

using at::Tensor;
using ets::relative_error;

// A layer with larger weights than the initial ones, which make S nearly 0.
BlockLayer mixing_layer(const std::vector<std::string>& settings) {
  BlockLayer layer = layer_of("gmlp", settings);
  Tensor& weight = layer.weights.at("spatial.weight");
  weight = lcsm::random_input(1, 1, weight.numel(), 4).view(weight.sizes());
  return layer;
}

TEST(Gmlp, ToeplitzIsAFullMatrixOfTheSameDistances) {
  constexpr std::int64_t T = 14;
  const Tensor x = lcsm::random_input(2, 11, 8, 1);
  for (const bool bidirectional : {false, true}) {
    const std::string sides = bidirectional ? "bidirectional=true" : "bidirectional=false";
    const BlockLayer layer = mixing_layer({"length=14", "spatial=toeplitz", sides});
    BlockLayer full = mixing_layer({"length=14", sides});
    Tensor matrix = at::zeros_like(full.weights.at("spatial.weight"));
    const Tensor taps = layer.weights.at("spatial.weight");
    for (std::int64_t t = 0; t < T; ++t)
      for (std::int64_t u = 0; u < (bidirectional ? T : t + 1); ++u)
        matrix[t][u].copy_(taps[t - u + (bidirectional ? T - 1 : 0)]);
    for (auto& [name, tensor] : full.weights)
      tensor = name == "spatial.weight" ? matrix : layer.weights.at(name);
    EXPECT_LE(relative_error(layer(x), full(x)), 1e-13) << sides;
    EXPECT_LE(relative_error(layer(x, {.backend = lcsm::Backend::kReference}), full(x)), 1e-13);
  }
}

TEST(Gmlp, WithoutMixingIsAFeedForwardOfEachPosition) {
  BlockLayer layer = mixing_layer({});
  layer.weights.at("spatial.weight") = at::zeros_like(layer.weights.at("spatial.weight"));
  const Tensor x = lcsm::random_input(1, 9, 8, 2);
  EXPECT_LE(relative_error(layer(x.flip(1)).flip(1), layer(x)), 1e-14);
}

TEST(Gmlp, RefusesSizesThatDoNotFit) {
  EXPECT_THROW(layer_of("gmlp", {"size=5"}), std::invalid_argument);
  EXPECT_THROW(layer_of("gmlp", {"length=4"})(lcsm::random_input(1, 5, 8, 2)),
               std::invalid_argument);
}

}  // namespace
}  // namespace runner
