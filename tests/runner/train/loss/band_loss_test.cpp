// The loss of an adaptive softmax.

#include <ATen/CPUGeneratorImpl.h>
#include <ATen/TensorOperators.h>
#include <ATen/ops/randint.h>
#include <ATen/ops/randn.h>
#include <gtest/gtest.h>

#include <cmath>

#include "runner/train/loss/head_loss.h"

namespace runner {
namespace {

using at::Tensor;

constexpr std::int64_t kD = 8, kTokens = 100;

struct BandLossCase {
  std::vector<Tensor> tensors;  // h, the bands' vectors and projections, the clusters
  Banded banded;

  const Tensor& h() const { return tensors[0]; }
};

BandLossCase make(at::ScalarType type, std::int64_t rows) {
  const std::vector<Band> bands = {{0, 10, 8}, {10, 30, 4}, {40, 60, 2}};
  const at::Generator random = at::detail::createCPUGenerator(5);
  std::vector<Tensor> tensors;
  const auto draw = [&](std::int64_t n, std::int64_t m) {
    tensors.push_back(at::randn({n, m}, random, type).requires_grad_(true));
    return tensors.back();
  };
  draw(rows, kD);
  lcsm::Weights embedding;
  for (std::size_t i = 0; i < bands.size(); ++i) {
    embedding[std::to_string(i) + ".weight"] = draw(bands[i].tokens, bands[i].width);
    embedding[std::to_string(i) + ".project"] = draw(kD, bands[i].width);
  }
  return {tensors, Banded(bands, embedding, draw(2, kD))};
}

Tensor targets_below(std::int64_t end, std::int64_t rows) {
  return at::randint(end, {rows}, at::detail::createCPUGenerator(3), at::kLong);
}

// Gradients of 0.3 times the sum; undefined for tensors that it does not depend on.
template <class F>
std::vector<Tensor> band_loss_gradients_of(const BandLossCase& c, const F& sum) {
  for (const Tensor& tensor : c.tensors) tensor.mutable_grad().reset();
  sum().mul(0.3).backward();
  std::vector<Tensor> gradients;
  for (const Tensor& tensor : c.tensors) gradients.push_back(tensor.grad());
  return gradients;
}

TEST(BandLoss, IsThatOfTheWholeDistribution) {
  const BandLossCase c = make(at::kDouble, 50);
  const Tensor targets = targets_below(kTokens, 50);
  const auto ours = [&] { return band_loss_sum(c.h(), c.banded, targets); };
  const auto definition = [&] {
    return c.banded.log_probabilities(c.h()).gather(1, targets.unsqueeze(1)).sum().neg();
  };
  EXPECT_NEAR(ours().item<double>(), definition().item<double>(), 1e-11);
  const std::vector<Tensor> found = band_loss_gradients_of(c, ours),
                            wanted = band_loss_gradients_of(c, definition);
  for (std::size_t i = 0; i < found.size(); ++i) {
    if (i == 2) {  // the first band's projection, which only the embedding has
      EXPECT_FALSE(found[i].defined() || wanted[i].defined());
      continue;
    }
    EXPECT_LT((found[i] - wanted[i]).abs().max().item<double>(), 1e-12) << i;
  }
}

// Without these gradients an optimizer would not decay its moments in a step without targets of the
// band.
TEST(BandLoss, GivesGradientsToBandsWithoutATarget) {
  const BandLossCase c = make(at::kDouble, 7);
  const Tensor targets = targets_below(10, 7);
  const std::vector<Tensor> found =
      band_loss_gradients_of(c, [&] { return band_loss_sum(c.h(), c.banded, targets); });
  for (const std::size_t i : {3u, 4u, 5u, 6u}) {
    ASSERT_TRUE(found[i].defined()) << i;
    EXPECT_EQ(found[i].abs().max().item<double>(), 0) << i;
  }
}

TEST(BandLoss, ScoresTheSameWithoutGradients) {
  const BandLossCase c = make(at::kDouble, 50);
  const Tensor targets = targets_below(kTokens, 50);
  const Score score = band_loss_score(c.h(), c.banded, targets);
  EXPECT_NEAR(score[Sum::kLoss], band_loss_sum(c.h(), c.banded, targets).item<double>(), 1e-11);
  EXPECT_EQ(score[Sum::kCount], 50);
  EXPECT_TRUE(std::isnan(score[Sum::kRight]));
}

// bfloat16 has 8 bits: products of at most 8 terms of order 1 are right to about 2^-7 each.
TEST(BandLoss, UsesHalfPrecisionForProductsOnly) {
  const BandLossCase c = make(at::kFloat, 50);
  const Tensor targets = targets_below(kTokens, 50);
  const double whole = band_loss_sum(c.h(), c.banded, targets).item<double>(),
               half = band_loss_sum(c.h(), c.banded, targets, {.precision = Precision::kBFloat16})
                          .item<double>();
  EXPECT_NE(half, whole);
  EXPECT_NEAR(half, whole, 0.02 * whole);
}

}  // namespace
}  // namespace runner
