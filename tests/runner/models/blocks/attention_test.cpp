#include "runner/models/blocks/attention.h"

#include <ATen/TensorOperators.h>
#include <ATen/ops/allclose.h>
#include <ATen/ops/equal.h>
#include <ATen/ops/exp.h>
#include <ATen/ops/zeros.h>
#include <ATen/ops/zeros_like.h>
#include <gtest/gtest.h>

#include <cmath>

#include "tests/lcsm/layer/layer_cases.h"

namespace runner {
namespace {

using at::Tensor;

constexpr std::int64_t kB = 2, kT = 7, kD = 8, kHeads = 2, kWidth = kD / kHeads;

Tensor random(at::IntArrayRef shape, std::uint64_t seed) {
  return lcsm::random_input(1, 1, c10::multiply_integers(shape), seed).view(shape);
}

lcsm::Weights weights() {
  return {{"qkv.weight", random({3 * kD, kD}, 1)},
          {"qkv.bias", random({3 * kD}, 2)},
          {"output.weight", random({kD, kD}, 3)},
          {"output.bias", random({kD}, 4)}};
}

// Channels c and c + w/2 of a head as a complex number, times e^(i t rate^c).
Tensor rotated(const Tensor& row, std::int64_t t) {
  Tensor result = row.clone();
  for (std::int64_t c = 0; c < kWidth / 2; ++c) {
    const double angle =
        static_cast<double>(t) * std::pow(10000.0, -2.0 * static_cast<double>(c) / double(kWidth));
    const Tensor a = row.select(0, c), b = row.select(0, c + kWidth / 2);
    result.select(0, c).copy_(a * std::cos(angle) - b * std::sin(angle));
    result.select(0, c + kWidth / 2).copy_(a * std::sin(angle) + b * std::cos(angle));
  }
  return result;
}

// The definition, one query at a time.
Tensor plain_loop(const lcsm::Weights& w, const Tensor& x, bool rope) {
  const Tensor qkv = lcsm::project(w, "qkv", x);
  Tensor y = at::zeros_like(x);
  for (std::int64_t b = 0; b < kB; ++b)
    for (std::int64_t h = 0; h < kHeads; ++h)
      for (std::int64_t t = 0; t < kT; ++t) {
        const auto row = [&](std::int64_t which, std::int64_t at) {
          const Tensor r = qkv[b][at].narrow(0, which * kD + h * kWidth, kWidth);
          return rope && which < 2 ? rotated(r, at) : r;
        };
        Tensor sum = at::zeros({kWidth}, at::kDouble), norm = at::zeros({}, at::kDouble);
        for (std::int64_t u = 0; u <= t; ++u) {
          const Tensor p = at::exp((row(0, t) * row(1, u)).sum() / std::sqrt(double(kWidth)));
          sum = sum + p * row(2, u);
          norm = norm + p;
        }
        y[b][t].narrow(0, h * kWidth, kWidth).copy_(sum / norm);
      }
  return lcsm::project(w, "output", y);
}

}  // namespace

TEST(Attention, IsSoftmaxOverThePastHeadByHead) {
  const Tensor x = random({kB, kT, kD}, 5);
  for (const bool rope : {false, true})
    // float64 sums of a few numbers of size 1
    EXPECT_TRUE(at::allclose(attention(weights(), x, {kHeads, rope}),
                             plain_loop(weights(), x, rope), 1e-12, 1e-12))
        << "rope " << rope;
}

TEST(Attention, WorksWithoutBiases) {
  lcsm::Weights w = weights();
  w.erase("qkv.bias");
  w.erase("output.bias");
  const Tensor x = random({kB, kT, kD}, 5);
  EXPECT_TRUE(at::allclose(attention(w, x, {kHeads}), plain_loop(w, x, false), 1e-12, 1e-12));
}

TEST(Attention, IsCausal) {
  const Tensor x = random({kB, kT, kD}, 5), other = x.clone();
  other.select(1, kT - 1).add_(1);
  const auto before_last = [](const Tensor& seen) {
    return attention(weights(), seen, {kHeads, true}).narrow(1, 0, kT - 1);
  };
  EXPECT_TRUE(at::equal(before_last(x), before_last(other)));
}

// Rows of zeros score 0 and contribute nothing: they scale down all output channels alike.
TEST(Attention, WithRopeDependsOnDistancesOnly) {
  lcsm::Weights w = weights();
  w.erase("qkv.bias");
  w.erase("output.bias");
  const Tensor pair = random({2, kD}, 6);
  const auto last = [&](std::int64_t first, std::int64_t second) {
    Tensor x = at::zeros({1, second + 1, kD}, at::kDouble);
    x[0][first].copy_(pair[0]);
    x[0][second].copy_(pair[1]);
    return attention(w, x, {/*heads=*/1, true})[0][second];
  };
  const Tensor moved = last(3, 4) / last(0, 1), apart = last(0, 4) / last(0, 1);
  EXPECT_TRUE(at::allclose(moved, moved[0].expand({kD}), 1e-10));
  EXPECT_FALSE(at::allclose(apart, apart[0].expand({kD}), 1e-3));
}

}  // namespace runner
