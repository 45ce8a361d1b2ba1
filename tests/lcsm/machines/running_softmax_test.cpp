// The running softmax against sums over all steps so far, in tensor operations under autograd.
#include "lcsm/machines/running_softmax.h"

#include <ATen/TensorOperators.h>
#include <ATen/ops/cat.h>
#include <ATen/ops/full_like.h>
#include <ATen/ops/logcumsumexp.h>
#include <gtest/gtest.h>
#include <torch/csrc/autograd/autograd.h>

#include <limits>

#include "tests/lcsm/layer/layer_cases.h"

namespace lcsm {
namespace {

using Pair = std::pair<at::Tensor, at::Tensor>;

Pair plain(const at::Tensor& z, const at::Tensor& log_sum) {
  const std::int64_t T = z.size(1);
  const at::Tensor all = log_sum.defined() ? at::cat({log_sum.unsqueeze(1), z}, 1) : z;
  const at::Tensor sums = at::logcumsumexp(all, 1);
  const std::int64_t n = all.size(1);
  at::Tensor log_o = sums.narrow(1, 0, n - 1) - sums.narrow(1, 1, n - 1);
  if (n == T)
    log_o = at::cat(
        {at::full_like(z.narrow(1, 0, 1), -std::numeric_limits<double>::infinity()), log_o}, 1);
  return {log_o, sums.select(1, n - 1)};
}

at::Tensor matrix(std::int64_t rows, std::int64_t columns, std::uint64_t seed) {
  return random_input(1, rows, columns, seed)[0];
}

void expect_near(const at::Tensor& got, const at::Tensor& expected, double tolerance) {
  ASSERT_EQ(got.sizes(), expected.sizes());
  const at::Tensor off = (got - expected).abs().masked_fill(got == expected, 0);
  EXPECT_LE(off.max().item<double>(), tolerance);
}

// A random weighting of both results, without the -infinity of the very start.
at::Tensor loss(const Pair& results) {
  const at::Tensor& log_o = results.first;
  const std::int64_t T = log_o.size(1);
  const at::Tensor weights = random_input(log_o.size(0), T, log_o.size(2), 7);
  const at::Tensor inside = (log_o * weights).narrow(1, 1, T - 1).sum();
  return inside + (results.second * matrix(log_o.size(0), log_o.size(2), 8)).sum();
}

struct SoftmaxCase {
  std::int64_t B, T, N;
  bool continues;
};

void expect_plain(const SoftmaxCase& c) {
  SCOPED_TRACE(std::to_string(c.B) + " x " + std::to_string(c.T) + " x " + std::to_string(c.N));
  const at::Tensor z = (3 * random_input(c.B, c.T, c.N, 1)).requires_grad_();
  const at::Tensor log_sum = c.continues ? matrix(c.B, c.N, 2).requires_grad_() : at::Tensor();
  const Pair got = running_softmax(z, log_sum), expected = plain(z, log_sum);
  expect_near(got.first, expected.first, 1e-13);
  expect_near(got.second, expected.second, 1e-13);
  if (c.T == 1) return;
  std::vector<at::Tensor> wanted{z};
  if (c.continues) wanted.push_back(log_sum);
  const auto d = torch::autograd::grad({loss(got)}, wanted);
  const auto d_plain = torch::autograd::grad({loss(expected)}, wanted);
  for (std::size_t n = 0; n < wanted.size(); ++n) expect_near(d[n], d_plain[n], 1e-12);
}

}  // namespace

// Tolerances: rounding of sums of 300 numbers near 10.
TEST(RunningSoftmax, IsTheSumOverAllSteps) {
  for (const bool continues : {false, true}) {
    expect_plain({1, 1, 1, continues});
    expect_plain({2, 65, 5, continues});
    expect_plain({3, 300, 17, continues});
  }
}

TEST(RunningSoftmax, ContinuesFromItsLogSum) {
  const at::Tensor z = random_input(2, 100, 5, 3);
  const auto [all, last] = running_softmax(z, {});
  const auto [early, middle] = running_softmax(z.narrow(1, 0, 37), {});
  const auto [late, end] = running_softmax(z.narrow(1, 37, 63), middle);
  expect_near(at::cat({early, late}, 1), all, 1e-14);
  expect_near(end, last, 1e-14);
}

TEST(RunningSoftmax, TakesALossOfOneResultAlone) {
  const at::Tensor z = random_input(2, 9, 5, 4).requires_grad_();
  const at::Tensor d = torch::autograd::grad({running_softmax(z, {}).second.sum()}, {z})[0];
  const at::Tensor plain_d = torch::autograd::grad({plain(z, {}).second.sum()}, {z})[0];
  expect_near(d, plain_d, 1e-14);
}

// The share of a step is 1e-5 of the sum: without compensation less than a digit of L once L is 11.
TEST(RunningSoftmax, DoesNotLoseSmallSharesInFloat32) {
  const at::Tensor z = random_input(1, 100000, 3, 5);
  const auto [log_o, last] = running_softmax(z.to(at::kFloat), {});
  const auto [exact, end] = plain(z, {});
  expect_near(last.to(at::kDouble), end, 2e-6);  // two units of 11.9
  const at::Tensor share = log_o / exact;
  EXPECT_NEAR(share.narrow(1, 50000, 50000).min().item<double>(), 1, 1e-4);
  EXPECT_NEAR(share.narrow(1, 50000, 50000).max().item<double>(), 1, 1e-4);
}

}  // namespace lcsm
