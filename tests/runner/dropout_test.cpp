#include "runner/dropout.h"

#include <ATen/CPUGeneratorImpl.h>
#include <ATen/TensorOperators.h>
#include <ATen/ops/equal.h>
#include <ATen/ops/ones.h>
#include <gtest/gtest.h>

#include <cmath>

namespace runner {
namespace {

at::Generator generator(std::uint64_t seed) {
  return at::make_generator<at::CPUGeneratorImpl>(seed);
}

}  // namespace

TEST(Dropout, KeepsAShareAndScalesIt) {
  const std::int64_t n = 100000;
  const double share = 0.1, kept = 1 - share;
  Dropout dropout(generator(3));
  const at::Tensor x = dropout(at::ones({n}), share);
  const double left = x.gt(0).sum().item<double>() / static_cast<double>(n);
  // Six standard deviations of a mean of n draws: never by chance.
  EXPECT_NEAR(left, kept, 6 * std::sqrt(share * kept / static_cast<double>(n)));
  EXPECT_FLOAT_EQ(x.max().item<float>(), static_cast<float>(1 / kept));
  EXPECT_EQ(x.min().item<float>(), 0);
}

TEST(Dropout, WithoutAGeneratorDropsNothing) {
  Dropout none;
  const at::Tensor x = at::ones({8, 3});
  EXPECT_TRUE(none(x, 0.5).is_same(x));
  EXPECT_TRUE(at::equal(none.add(x, x, 0.5), x + x));
}

TEST(Dropout, OfShareZeroLeavesTheGeneratorAlone) {
  const at::Generator own = generator(3);
  const at::Tensor before = own.get_state();
  Dropout dropout(own);
  const at::Tensor x = at::ones({8});
  EXPECT_TRUE(dropout(x, 0).is_same(x));
  EXPECT_TRUE(at::equal(own.get_state(), before));
}

TEST(Dropout, ContinuesFromASavedState) {
  at::Generator own = generator(3);
  Dropout dropout(own);
  const at::Tensor x = at::ones({257});
  dropout(x, 0.3);
  const at::Tensor state = own.get_state();
  const at::Tensor next = dropout(x, 0.3);
  EXPECT_FALSE(at::equal(next, dropout(x, 0.3)));
  at::Generator other = generator(9);
  other.set_state(state);
  EXPECT_TRUE(at::equal(Dropout(other)(x, 0.3), next));
}

TEST(Dropout, AddsWhatIsLeftToAResidual) {
  const at::Tensor residual = at::ones({64, 5}, at::kDouble), x = residual * 3;
  Dropout a(generator(4)), b(generator(4));
  EXPECT_TRUE(at::equal(a.add(residual, x, 0.25), residual + b(x, 0.25)));
}

TEST(Dropout, ScalesBfloat16WithoutRoundingTheScale) {
  Dropout dropout(generator(3));
  const at::Tensor x = dropout(at::ones({64}, at::kBFloat16), 0.1);
  EXPECT_FLOAT_EQ(x.max().item<float>(), static_cast<float>(1 / 0.9));
}

}  // namespace runner
