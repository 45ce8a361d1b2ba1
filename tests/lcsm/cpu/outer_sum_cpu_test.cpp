// The outer-sum kernels against a plain loop over the definition, in float and double.
#include "lcsm/cpu/outer_sum_cpu.h"

#include <gtest/gtest.h>

#include "tests/lcsm/cpu/outer_sum_cases.h"

namespace lcsm::test {
namespace {

constexpr Order kOrders[] = {Order::kForward, Order::kExclusive, Order::kReverse,
                             Order::kReverseExclusive};

// Relative to the sum of magnitudes: a chunk rounds 64 products of decays, and a sum of up to 70
// entries over 200 steps rounds each time, at random, not in one direction. Below 1e-30 float32
// ends.
template <class T>
void expect_near(const char* what, const Numbers<T>& got, const Numbers<double>& expected,
                 const Numbers<double>& most) {
  const double tolerance = sizeof(T) == 4 ? 2e-5 : 4e-14;
  ASSERT_EQ(got.size(), expected.size()) << what;
  for (std::size_t n = 0; n < got.size(); ++n)
    ASSERT_NEAR(static_cast<double>(got[n]), expected[n], tolerance * most[n] + 1e-30)
        << what << "[" << n << "] of " << most[n];
}

template <class T>
void expect_plain(const Case& c) {
  SCOPED_TRACE(to_string(c) + (sizeof(T) == 4 ? "float" : "double"));
  Problem<T> problem(c);
  const Plain plain(problem, false), most(problem, true);
  problem.run();
  expect_near("y", problem.y, plain.y, most.y);
  expect_near("memory", problem.memory, plain.memory, most.memory);
  expect_near("keep", problem.keep, plain.keep, most.keep);
  expect_near("over_deep", problem.over_deep, plain.over_deep, most.over_deep);
  expect_near("over_wide", problem.over_wide, plain.over_wide, most.over_wide);
}

void expect_plain_in_both(const Case& c) {
  expect_plain<float>(c);
  expect_plain<double>(c);
}

// Every pair of sizes in every order, short lengths in turn.
void expect_plain_at_all_sizes(SumDecays over_deep, SumDecays over_wide) {
  constexpr std::int64_t kSteps[] = {1, 2, 63, 64, 65};
  std::size_t turn = 0;
  for (const std::int64_t deep : {1, 2, 3, 5, 17, 64, 70})
    for (const std::int64_t wide : {1, 2, 3, 5, 17, 64, 70})
      for (const Order order : kOrders)
        expect_plain_in_both({.deep = deep,
                              .wide = wide,
                              .steps = kSteps[turn++ % std::size(kSteps)],
                              .order = order,
                              .over_deep = over_deep,
                              .over_wide = over_wide});
}

}  // namespace

TEST(OuterSumCpu, SumsWithoutDecays) {
  expect_plain_at_all_sizes(SumDecays::kNone, SumDecays::kNone);
}
TEST(OuterSumCpu, DecaysOverTheDeepAxis) {
  expect_plain_at_all_sizes(SumDecays::kMild, SumDecays::kNone);
}
TEST(OuterSumCpu, DecaysOverTheWideAxis) {
  expect_plain_at_all_sizes(SumDecays::kNone, SumDecays::kMild);
}
TEST(OuterSumCpu, DecaysOverBothAxes) {
  expect_plain_at_all_sizes(SumDecays::kMild, SumDecays::kMild);
}

TEST(OuterSumCpu, TakesEveryLengthInEveryOrder) {
  for (const std::int64_t steps : {1, 2, 63, 64, 65, 200})
    for (const Order order : kOrders)
      for (const SumDecays wide : {SumDecays::kNone, SumDecays::kMild})
        expect_plain_in_both({.deep = 5,
                              .wide = 17,
                              .steps = steps,
                              .order = order,
                              .over_deep = SumDecays::kMild,
                              .over_wide = wide});
}

TEST(OuterSumCpu, TakesDecaysDownToZero) {
  for (const SumDecays deep :
       {SumDecays::kNone, SumDecays::kSingle, SumDecays::kEvery, SumDecays::kZeros})
    for (const SumDecays wide :
         {SumDecays::kMild, SumDecays::kSingle, SumDecays::kEvery, SumDecays::kZeros})
      for (const Order order : kOrders)
        for (const std::int64_t steps : {1, 65, 200})
          expect_plain_in_both({.deep = 5,
                                .wide = 19,
                                .steps = steps,
                                .order = order,
                                .over_deep = deep,
                                .over_wide = wide});
}

TEST(OuterSumCpu, AddsToWhatIsThere) {
  for (const Order order : kOrders)
    for (const std::int64_t wide : {3, 64, 70})
      for (const SumDecays decay : {SumDecays::kNone, SumDecays::kMild})
        expect_plain_in_both({.deep = 3,
                              .wide = wide,
                              .order = order,
                              .over_deep = SumDecays::kMild,
                              .over_wide = decay,
                              .add = true});
}

TEST(OuterSumCpu, LeavesOtherColumnsAlone) {
  for (const Order order : kOrders)
    for (const auto& [first, last] : {std::pair{0, 16}, {16, 70}, {32, 33}, {48, 48 + 17}})
      for (const SumDecays decay : {SumDecays::kNone, SumDecays::kMild})
        expect_plain_in_both({.deep = 6,
                              .wide = 70,
                              .order = order,
                              .over_deep = SumDecays::kMild,
                              .over_wide = decay,
                              .first = first,
                              .last = last});
}

TEST(OuterSumCpu, ContinuesFromItsMemory) {
  for (const Order order : kOrders)
    for (const std::int64_t cut : {1, 2})
      for (const SumDecays decay : {SumDecays::kNone, SumDecays::kMild, SumDecays::kSingle})
        expect_plain_in_both({.steps = 200,
                              .order = order,
                              .over_deep = decay,
                              .over_wide = SumDecays::kMild,
                              .cut = cut});
}

TEST(OuterSumCpu, MeetsAtTheAnchorsOnly) {
  for (const Order order : kOrders)
    for (const std::int64_t spacing : {1, 65, 128, 1000})
      expect_plain_in_both({.steps = 200,
                            .order = order,
                            .over_deep = SumDecays::kSingle,
                            .over_wide = SumDecays::kMild,
                            .spacing = spacing});
}

}  // namespace lcsm::test
