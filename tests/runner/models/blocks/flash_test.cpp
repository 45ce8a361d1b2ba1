#include <ATen/TensorOperators.h>
#include <ATen/ops/cat.h>
#include <ATen/ops/zeros.h>
#include <gtest/gtest.h>

#include "tests/ets/layer/official_cases.h"
#include "tests/lcsm/layer/layer_cases.h"
#include "tests/runner/models/blocks/layer_of.h"

namespace runner {
namespace {

using at::Tensor;
using ets::relative_error;

// For one position: A = relu(q . k + b_0)^2 V with C = 1, and no chunk precedes it.
TEST(Flash, OfOnePositionIsAGatedUnit) {
  const BlockLayer layer = layer_of("flash", {"chunk=1", "shared=5"});
  const Tensor x = lcsm::random_input(3, 1, 8, 1);
  const auto active = [&](const char* name) {
    const Tensor z = lcsm::project(layer.weights, name, x);
    return z * z.sigmoid();
  };
  const auto head = [&](int n) {
    return active("shared") * layer.weights.at("scale")[n] + layer.weights.at("offset")[n];
  };
  const Tensor score =
      ((head(0) * head(1)).sum(-1, true) + layer.weights.at("position_bias")[0]).clamp_min(0);
  const Tensor y =
      lcsm::project(layer.weights, "output", active("gate") * (score * score) * active("value"));
  EXPECT_LE(relative_error(layer(x), y), 1e-13);
}

// A chunk reads the earlier ones without their order.
TEST(Flash, BetweenChunksPositionsHaveNoOrder) {
  const BlockLayer layer = layer_of("flash", {"chunk=4"});
  const Tensor x = lcsm::random_input(1, 12, 8, 2);
  const Tensor other = at::cat({x.narrow(1, 0, 8).flip(1), x.narrow(1, 8, 4)}, 1);
  EXPECT_LE(relative_error(layer(other).narrow(1, 8, 4), layer(x).narrow(1, 8, 4)), 1e-13);
  EXPECT_GT(relative_error(layer(other).narrow(1, 0, 8), layer(x).narrow(1, 0, 8)), 1e-6);
}

TEST(Flash, WhatIsFarActs) {
  for (const char* sides : {"bidirectional=false", "bidirectional=true"}) {
    BlockLayer layer = layer_of("flash", {"chunk=4", sides});
    const Tensor x = lcsm::random_input(1, 12, 8, 3), y = layer(x);
    Tensor other = x.clone();
    other.select(1, 0).neg_();
    EXPECT_GT(relative_error(layer(other).narrow(1, 8, 4), y.narrow(1, 8, 4)), 1e-6) << sides;
    layer.weights.at("scale") =
        at::cat({layer.weights.at("scale").narrow(0, 0, 2), at::zeros({2, 128}, at::kDouble)});
    EXPECT_LE(relative_error(layer(other).narrow(1, 8, 4), layer(x).narrow(1, 8, 4)), 0) << sides;
  }
}

}  // namespace
}  // namespace runner
