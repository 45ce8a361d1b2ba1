// Numbers from scipy 1.17.1 (scipy.stats.t, ttest_rel, numpy.std with ddof=1), printed in full.
#include "results/tables/statistics.h"

#include <gtest/gtest.h>

#include <cmath>
#include <random>

namespace results {
namespace {

constexpr double kRounding = 1e-13;  // relative; both sides are in double

void expect_same(double ours, double theirs) {
  EXPECT_NEAR(ours, theirs, kRounding * std::abs(theirs));
}

}  // namespace

TEST(Statistics, QuantilesAreThoseOfScipy) {
  const double wide = 1e-10;  // the quantile's slope amplifies the rounding of the distribution
  EXPECT_NEAR(student_quantile(0.975, 1), 12.706204736174694, wide);
  EXPECT_NEAR(student_quantile(0.975, 2), 4.302652729749462, wide);
  EXPECT_NEAR(student_quantile(0.975, 4), 2.7764451051977934, wide);
  EXPECT_NEAR(student_quantile(0.9, 7), 1.4149239276505086, wide);
  EXPECT_NEAR(student_quantile(0.025, 3), -3.1824463052837086, wide);
}

TEST(Statistics, SpreadOfSeeds) {
  const Statistics statistics = statistics_of({3.0, 1.5, 4.25, 2.0});
  EXPECT_EQ(statistics.n, 4);
  expect_same(statistics.mean, 2.6875);
  expect_same(statistics.sd, 1.2140668570277888);
  EXPECT_EQ(statistics.median, 2.5);
  EXPECT_NEAR(statistics.low, 0.7556487082422549, 1e-10);
  EXPECT_NEAR(statistics.high, 4.619351291757745, 1e-10);
}

TEST(Statistics, OneValueHasNoSpread) {
  const Statistics one = statistics_of({7});
  EXPECT_EQ(one.mean, 7);
  EXPECT_EQ(one.median, 7);
  EXPECT_TRUE(std::isnan(one.sd) && std::isnan(one.low));
  EXPECT_TRUE(std::isnan(statistics_of({}).mean));
}

TEST(Statistics, ThePairedTestIsThatOfScipy) {
  expect_same(paired_t_test({24.1, 24.5, 23.9, 24.8}, {24.6, 24.9, 24.1, 24.9}),
              0.04620509135336333);
  EXPECT_TRUE(std::isnan(paired_t_test({1}, {2})));
  EXPECT_EQ(paired_t_test({1, 2, 4}, {1, 2, 4}), 1);
  EXPECT_TRUE(std::isnan(paired_t_test({1, 2, 3}, {2, 3, 4}))) << "no spread";
}

// By hand: 4 x 0.005, 3 x 0.01, 2 x 0.03, and never less than the previous one.
TEST(Statistics, HolmStepsDown) {
  const std::vector<double> p = holm({0.01, 0.04, std::nan(""), 0.03, 0.005});
  EXPECT_DOUBLE_EQ(p[0], 0.03);
  EXPECT_DOUBLE_EQ(p[1], 0.06);
  EXPECT_TRUE(std::isnan(p[2]));
  EXPECT_DOUBLE_EQ(p[3], 0.06);
  EXPECT_DOUBLE_EQ(p[4], 0.02);
}

// Without a difference, p is uniform between 0 and 1.
TEST(Statistics, UnderTheNullOneTestOfTwentyIsBelowFivePercent) {
  std::mt19937 random(11);
  std::normal_distribution<double> normal;
  constexpr int kTests = 20000;
  int below = 0;
  for (int i = 0; i < kTests; ++i) {
    std::vector<double> a(4), b(4);
    for (double& x : a) x = normal(random);
    for (double& x : b) x = normal(random);
    below += paired_t_test(a, b) < 0.05;
  }
  // Five standard deviations of a binomial count.
  EXPECT_NEAR(below, kTests * 0.05, 5 * std::sqrt(kTests * 0.05 * 0.95));
}

}  // namespace results
