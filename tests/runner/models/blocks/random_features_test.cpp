#include "runner/models/blocks/random_features.h"

#include <ATen/TensorOperators.h>
#include <ATen/ops/exp.h>
#include <ATen/ops/eye.h>
#include <ATen/ops/matmul.h>
#include <gtest/gtest.h>

#include <cmath>

#include "tests/lcsm/layer/layer_cases.h"

namespace runner {
namespace {

using at::Tensor;

TEST(RandomFeatures, AreOrthogonalInBlocksOfTheWidth) {
  const Tensor rows = orthogonal_normals(7, 4, 1);
  for (const auto& [first, count] : {std::pair<std::int64_t, std::int64_t>{0, 4}, {4, 3}}) {
    const Tensor block = rows.narrow(0, first, count), products = at::matmul(block, block.t());
    const Tensor between = products * (1 - at::eye(count, at::kDouble));
    EXPECT_LE(between.abs().max().item<double>(), 1e-13);  // rounding of sums of 4
  }
  EXPECT_FALSE(rows.equal(orthogonal_normals(7, 4, 2)));
}

// E exp(w . x) exp(-|x|^2 / 2) exp(w . y) exp(-|y|^2 / 2) = exp(x . y) for normal w. Over 40 draws
// of 64 features the mean is within 5 of its own standard errors.
TEST(RandomFeatures, EstimateTheExponentialWithoutBias) {
  const Tensor x = 0.4 * lcsm::random_input(1, 1, 4, 1).view({4}),
               y = 0.4 * lcsm::random_input(1, 1, 4, 2).view({4});
  const auto features = [](const Tensor& rows, const Tensor& z) {
    return at::exp(at::matmul(rows, z) - (z * z).sum() / 2);
  };
  constexpr int kDraws = 40;
  double sum = 0, squares = 0;
  for (int draw = 0; draw < kDraws; ++draw) {
    const Tensor rows = orthogonal_normals(64, 4, static_cast<std::uint64_t>(draw));
    const double got = (features(rows, x) * features(rows, y)).mean().item<double>();
    sum += got;
    squares += got * got;
  }
  const double mean = sum / kDraws, variance = squares / kDraws - mean * mean;
  EXPECT_NEAR(mean, std::exp((x * y).sum().item<double>()), 5 * std::sqrt(variance / kDraws));
}

}  // namespace
}  // namespace runner
