// Tensors on the stable ABI. What ATen's functions compute there is tested through Python: every
// layer against the program (tests/runner/python/program_test.py).
#include <gtest/gtest.h>

#include <stdexcept>

#include "lcsm/stable/extras.h"
#include "lcsm/stable/failure.h"
#include "lcsm/stable/functions.h"

namespace {

using at::Tensor;

std::vector<double> numbers(const Tensor& x) {
  const Tensor wide = x.to(at::kDouble).contiguous();
  const auto* first = wide.const_data_ptr<double>();
  return {first, first + wide.numel()};
}
using Numbers = std::vector<double>;

TEST(StableTensor, KnowsItsShapeTypeAndPlace) {
  const Tensor x = at::zeros({2, 3}, at::kFloat);
  EXPECT_EQ(x.sizes(), at::IntArrayRef({2, 3}));
  EXPECT_EQ(x.t().size(0), 3);
  EXPECT_EQ(x.t().stride(1), 3);
  EXPECT_FALSE(x.t().is_contiguous());
  EXPECT_EQ(x.numel(), 6);
  EXPECT_EQ(x.scalar_type(), at::kFloat);
  EXPECT_TRUE(x.is_cpu() && !x.is_cuda() && !x.is_complex());
  EXPECT_EQ(x.device().str(), "cpu");
  EXPECT_FALSE(Tensor().defined());
  EXPECT_EQ(c10::str(x.sizes()), "[2, 3]");
}

// The ABI has only a difference with a floating factor.
TEST(StableTensor, AddsAndSubtractsEveryType) {
  const Tensor whole = at::arange(3, at::kLong), truth = whole > 0;
  EXPECT_EQ(numbers(whole + whole), (Numbers{0, 2, 4}));
  EXPECT_EQ((whole - 1).scalar_type(), at::kLong);
  EXPECT_EQ(numbers(1 - whole), (Numbers{1, 0, -1}));
  EXPECT_EQ(numbers(at::ones({3}, at::kFloat) + truth), (Numbers{1, 2, 2}));
  const Tensor tenth = at::full({1}, 0.1, at::kFloat), third = at::full({1}, 1.0 / 3, at::kFloat);
  EXPECT_EQ(numbers(tenth + third), Numbers{double{0.1f + 1.0f / 3}});
}

TEST(StableTensor, TakesNumbersInTheTypeOfTheTensorBesideThem) {
  const Tensor whole = at::arange(1, 4, at::kLong);
  EXPECT_EQ((whole * 2).scalar_type(), at::kLong);
  EXPECT_EQ((whole * 0.5).scalar_type(), at::kFloat);
  EXPECT_EQ(numbers(whole * 0.5), (Numbers{0.5, 1, 1.5}));
  EXPECT_EQ((at::ones({1}, at::kDouble) / 3).scalar_type(), at::kDouble);
  EXPECT_EQ(numbers(whole.remainder(2)), (Numbers{1, 0, 1}));
  EXPECT_EQ(numbers(whole.floor_divide(2)), (Numbers{0, 1, 1}));
}

// As a Scalar of ATen: only the result is rounded to the tensor's type.
TEST(StableTensor, DoesNotRoundNumbersBesideHalfPrecision) {
  for (const at::ScalarType type : {at::kBFloat16, at::kHalf}) {
    const Tensor x = at::arange(1, 65, type), wide = x.to(at::kFloat);
    const auto wanted = [&](const Tensor& result) { return numbers(result.to(type)); };
    EXPECT_EQ(numbers(x * 0.1), wanted(wide * 0.1));
    EXPECT_EQ(numbers(x / 0.3), wanted(wide / 0.3));
    EXPECT_EQ(numbers(x + 0.1), wanted(wide + 0.1));
    EXPECT_EQ(numbers(x - 0.3), wanted(wide - 0.3));
    EXPECT_EQ(numbers(0.1 - x), wanted(0.1 - wide));
    EXPECT_EQ((x * 0.1).scalar_type(), type);
    EXPECT_EQ((x.sum({0}) * 0.1).scalar_type(), type);
    EXPECT_EQ(numbers(at::clamp_max(x, 2.3)), numbers(at::clamp_max(wide, 2.3).to(type)));
    const Tensor scaled = x.clone(), divided = x.clone(), raised = x.clone();
    EXPECT_EQ(numbers(scaled.mul_(0.1)), wanted(wide * 0.1));
    EXPECT_EQ(numbers(divided.div_(0.3)), wanted(wide / 0.3));
    EXPECT_EQ(numbers(raised.add_(0.1)), wanted(wide + 0.1));
  }
}

TEST(StableTensor, MakesRanges) {
  EXPECT_EQ(numbers(at::arange(4, -1, -2, at::kFloat)), (Numbers{4, 2, 0}));
  EXPECT_EQ(at::arange(2, 2, at::kLong).numel(), 0);
  EXPECT_EQ(numbers(at::eye(2, at::kFloat)), (Numbers{1, 0, 0, 1}));
  EXPECT_EQ(numbers(at::tensor({3, 1}, at::kLong)), (Numbers{3, 1}));
}

TEST(StableTensor, WritesInPlace) {
  const Tensor x = at::ones({2, 2}, at::kFloat), row = x.select(0, 1);
  row.add_(1).mul_(3);
  EXPECT_EQ(numbers(x), (Numbers{1, 1, 6, 6}));
  row.fill_(0);
  EXPECT_EQ(numbers(x), (Numbers{1, 1, 0, 0}));
}

TEST(StableTensor, SharesLoopsAmongThreads) {
  std::vector<int> seen(1000);
  at::parallel_for(0, 1000, 1, [&](std::int64_t first, std::int64_t last) {
    for (std::int64_t n = first; n < last; ++n) ++seen[static_cast<std::size_t>(n)];
  });
  EXPECT_EQ(seen, std::vector<int>(1000, 1));
  EXPECT_GE(at::get_num_threads(), 1);
}

TEST(StableTensor, KeepsTheSentenceOfAFailure) {
  const auto fail = [] { throw std::invalid_argument("expected a, got b"); };
  EXPECT_THROW(lcsm::keeping_failure(fail), std::invalid_argument);
  EXPECT_EQ(lcsm::taken_failure(), "expected a, got b");
  EXPECT_EQ(lcsm::taken_failure(), std::nullopt);
  EXPECT_THROW(lcsm::keeping_failure(fail), std::invalid_argument);
  lcsm::keeping_failure([] {});
  EXPECT_EQ(lcsm::taken_failure(), std::nullopt);
  EXPECT_THROW(at::ones({2}, at::kFloat).view({3}), std::runtime_error);
}

TEST(StableTensor, SaysWhatHoldsForACall) {
  EXPECT_FALSE(at::AmbientGuard::now().learns);
  {
    const at::AmbientGuard guard({.learns = true, .products = at::kBFloat16});
    EXPECT_TRUE(Tensor().requires_grad());
    EXPECT_EQ(at::autocast::get_autocast_dtype(0), at::kBFloat16);
  }
  EXPECT_FALSE(at::autocast::is_autocast_enabled(0));
}

}  // namespace
