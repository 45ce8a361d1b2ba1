#include <ATen/TensorOperators.h>
#include <ATen/ops/cat.h>
#include <ATen/ops/ones_like.h>
#include <ATen/ops/zeros_like.h>
#include <gtest/gtest.h>

#include "tests/ets/layer/official_cases.h"
#include "tests/lcsm/layer/layer_cases.h"
#include "tests/runner/models/blocks/layer_of.h"

namespace runner {
namespace {

using at::Tensor;
using ets::relative_error;

TEST(Gfnet, AFilterOfOnesDoesNothing) {
  BlockLayer layer = layer_of("gfnet", {"length=12"});
  Tensor filter = at::zeros_like(layer.weights.at("filter"));
  filter.select(2, 0).fill_(1);
  layer.weights.at("filter") = filter;
  const Tensor x = lcsm::random_input(2, 9, 8, 1);
  EXPECT_LE(relative_error(layer(x), x), 1e-14);
}

TEST(Gfnet, TurnsWithItsCircle) {
  const BlockLayer layer = layer_of("gfnet", {"length=12"});
  const Tensor x = lcsm::random_input(2, 12, 8, 2);
  EXPECT_LE(relative_error(layer(x.roll(5, 1)), layer(x).roll(5, 1)), 1e-13);
}

// The response to an impulse on a circle of 4: the sum over the frequencies 0, 1, 2, written out.
TEST(Gfnet, AnImpulseGivesTheTapsOfItsFilter) {
  const BlockLayer layer = layer_of("gfnet", {"length=4"}, 1);
  const Tensor k = layer.weights.at("filter").select(1, 0);  // [3, 2]
  Tensor x = at::zeros_like(lcsm::random_input(1, 4, 1, 3));
  x.select(1, 0).fill_(1);
  const Tensor y = layer(x).flatten();
  const auto at = [&](int n, int part) { return k[n][part].item<double>(); };
  const double taps[] = {at(0, 0) + 2 * at(1, 0) + at(2, 0), at(0, 0) - 2 * at(1, 1) - at(2, 0),
                         at(0, 0) - 2 * at(1, 0) + at(2, 0), at(0, 0) + 2 * at(1, 1) - at(2, 0)};
  for (int t = 0; t < 4; ++t) EXPECT_NEAR(y[t].item<double>(), taps[t] / 4, 1e-15);
}

}  // namespace
}  // namespace runner
