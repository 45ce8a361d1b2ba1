#include "runner/models/skeletons/dropout.h"

#include <ATen/Parallel.h>
#include <ATen/TensorOperators.h>
#include <ATen/ops/ones.h>
#include <ATen/ops/zeros.h>
#include <gtest/gtest.h>

#include <cmath>

#include "lcsm/base/philox.h"
#include "runner/base/random/random.h"

namespace runner {
namespace {

using at::Tensor;

Tensor mask_of(Dropout& dropout, double share, std::int64_t size = 100003) {
  return dropout(at::ones({size}, at::kDouble), share);
}

TEST(Dropout, DropsItsShareAndKeepsTheMean) {
  for (const double share : {0.1, 0.5, 0.9}) {
    Dropout dropout(3, 5);
    const Tensor mask = mask_of(dropout, share);
    const double n = 100003, dropped = mask.eq(0).sum().item<double>() / n;
    // Five standard deviations of a binomial.
    EXPECT_NEAR(dropped, share, 5 * std::sqrt(share * (1 - share) / n));
    EXPECT_NEAR(mask.max().item<double>(), 1 / (1 - share), 1e-3 / (1 - share));
  }
}

TEST(Dropout, DependsOnSeedStepAndCall) {
  Dropout a(3, 5), b(3, 5), other_seed(4, 5), other_step(3, 6);
  const Tensor first = mask_of(a, 0.5), second = mask_of(a, 0.5);
  EXPECT_TRUE(first.equal(mask_of(b, 0.5)));
  for (const Tensor& other : {second, mask_of(other_seed, 0.5), mask_of(other_step, 0.5)}) {
    // Independent: half of the elements agree, within five standard deviations.
    const double alike = other.eq(first).sum().item<double>() / 100003;
    EXPECT_NEAR(alike, 0.5, 5 * 0.5 / std::sqrt(100003.0));
  }
}

// A format, which resumed runs rely on: element n is decided by 16 bits of block n / 8.
TEST(Dropout, UsesTheBitsOfAnElementsPosition) {
  constexpr std::uint64_t kSeed = 3ull << 32 | 7, kStep = 5;
  Dropout dropout(kSeed, kStep);
  mask_of(dropout, 0.3);
  const Tensor mask = mask_of(dropout, 0.3).ne(0);  // the step's second call
  const auto below = static_cast<std::uint32_t>(std::lround(0.3 * 65536));
  for (std::int64_t n = 0; n < mask.numel(); ++n) {
    const auto block = lcsm::philox(
        {static_cast<std::uint32_t>(n / 8), static_cast<std::uint32_t>(Draw::kDropout) | 1 << 8,
         static_cast<std::uint32_t>(kStep), 0},
        {7, 3});
    const std::uint32_t bits = block[static_cast<std::size_t>(n % 8 / 2)] >> (n % 2 * 16) & 0xffff;
    ASSERT_EQ(mask.const_data_ptr<bool>()[n], bits >= below) << n;
  }
}

TEST(Dropout, IsTheSameForAnyNumberOfThreads) {
  const int before = at::get_num_threads();
  Dropout a(3, 5), b(3, 5);
  at::set_num_threads(1);
  const Tensor one = mask_of(a, 0.3, 1 << 20);
  at::set_num_threads(4);
  EXPECT_TRUE(one.equal(mask_of(b, 0.3, 1 << 20)));
  at::set_num_threads(before);
}

TEST(Dropout, HasItsMaskAsGradient) {
  Dropout a(3, 5), b(3, 5);
  const Tensor x = at::ones({100003}, at::kDouble).requires_grad_(true);
  a(x, 0.4).sum().backward();
  EXPECT_TRUE(x.grad().equal(mask_of(b, 0.4)));
}

TEST(Dropout, AcceptsViewsAndEveryFloatingType) {
  for (const auto type : {at::kFloat, at::kDouble, at::kBFloat16}) {
    Dropout a(1, 1), b(1, 1);
    const Tensor x = at::ones({6, 4}, type).t();
    EXPECT_TRUE(a(x, 0.5).equal(b(x.contiguous(), 0.5)));
  }
}

TEST(Dropout, DropsNothingByDefault) {
  Dropout none;
  const Tensor x = at::ones({3});
  EXPECT_TRUE(none(x, 0.5).is_same(x));
  Dropout dropout(1, 1);
  EXPECT_TRUE(dropout(x, 0).is_same(x));
}

}  // namespace
}  // namespace runner
