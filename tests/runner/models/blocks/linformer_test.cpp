#include <ATen/TensorOperators.h>
#include <ATen/ops/eye.h>
#include <gtest/gtest.h>

#include "tests/ets/layer/official_cases.h"
#include "tests/lcsm/layer/layer_cases.h"
#include "tests/runner/models/blocks/layer_of.h"

namespace runner {
namespace {

using at::Tensor;
using ets::relative_error;

TEST(Linformer, WithProjectionsThatDoNothingIsAttention) {
  BlockLayer layer = layer_of("linformer", {"heads=2", "length=20", "projected=20"});
  BlockLayer exact = layer_of("transformer", {"heads=2", "bidirectional=true"});
  for (auto& [name, tensor] : exact.weights) tensor = layer.weights.at(name);
  for (const char* name : {"project_key", "project_value"})
    layer.weights.at(name) = at::eye(20, at::kDouble);
  const Tensor x = lcsm::random_input(2, 20, 8, 1);
  EXPECT_LE(relative_error(layer(x), exact(x)), 1e-13);
}

TEST(Linformer, RefusesALongerSequence) {
  const BlockLayer layer = layer_of("linformer", {"length=20", "projected=3"});
  EXPECT_THROW(layer(lcsm::random_input(1, 21, 8, 1)), std::invalid_argument);
}

}  // namespace
}  // namespace runner
