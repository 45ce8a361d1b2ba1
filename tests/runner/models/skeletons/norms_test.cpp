#include "runner/models/skeletons/norms.h"

#include <ATen/TensorOperators.h>
#include <ATen/ops/ones.h>
#include <ATen/ops/zeros.h>
#include <gtest/gtest.h>

#include "tests/lcsm/layer/layer_cases.h"

namespace runner {
namespace {

using at::Tensor;

double difference(const Tensor& a, const Tensor& b) { return (a - b).abs().max().item<double>(); }

TEST(Norms, ABatchNormMovesItsStatisticsInTraining) {
  const Tensor x = 2 * lcsm::random_input(3, 5, 4, 1) + 1, flat = x.flatten(0, 1);
  const lcsm::Weights w = {{"weight", lcsm::random_input(1, 1, 4, 2)[0][0]},
                           {"bias", lcsm::random_input(1, 1, 4, 3)[0][0]},
                           {"mean", at::zeros({4}, at::kDouble)},
                           {"variance", at::ones({4}, at::kDouble)}};
  const Tensor mean = flat.mean(0), variance = flat.var(0, /*unbiased=*/false);
  const auto by = [&](const Tensor& m, const Tensor& v) {
    return (x - m) / (v + lcsm::kNormEpsilon).sqrt() * w.at("weight") + w.at("bias");
  };
  EXPECT_LE(difference(normed("batch", w, x, true), by(mean, variance)), 1e-12);
  EXPECT_LE(difference(w.at("mean"), 0.1 * mean), 1e-14);
  EXPECT_LE(difference(w.at("variance"), 0.9 + 0.1 * variance * 15 / 14), 1e-14);
  const Tensor kept = w.at("mean").clone();
  EXPECT_LE(difference(normed("batch", w, x, false), by(w.at("mean"), w.at("variance"))), 1e-12);
  EXPECT_TRUE(w.at("mean").equal(kept));
}

TEST(Norms, AScaleIsOneWeightForAllChannels) {
  const Tensor x = lcsm::random_input(2, 3, 6, 1);
  const Tensor expected = x * (x.square().mean(2, /*keepdim=*/true) + lcsm::kNormEpsilon).rsqrt();
  EXPECT_LE(difference(normed("simple", {}, x, true), expected), 1e-13);
  EXPECT_LE(difference(normed("scale", {{"weight", at::ones({1}, at::kDouble) * 3}}, x, true),
                       3 * expected),
            1e-12);
  EXPECT_TRUE(normed("none", {}, x, true).equal(x));
}

}  // namespace
}  // namespace runner
