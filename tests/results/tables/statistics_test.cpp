// Numbers from scipy 1.17.1 (scipy.stats.t, numpy.std with ddof=1), printed in full.
#include "results/tables/statistics.h"

#include <gtest/gtest.h>

#include <cmath>

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

// By hand: 4 x 0.005, 3 x 0.01, 2 x 0.03, and never less than the previous one.
TEST(Statistics, HolmStepsDown) {
  const std::vector<double> p = holm({0.01, 0.04, std::nan(""), 0.03, 0.005});
  EXPECT_DOUBLE_EQ(p[0], 0.03);
  EXPECT_DOUBLE_EQ(p[1], 0.06);
  EXPECT_TRUE(std::isnan(p[2]));
  EXPECT_DOUBLE_EQ(p[3], 0.06);
  EXPECT_DOUBLE_EQ(p[4], 0.02);
}

TEST(Statistics, MeansThatDifferByRoundingAreTied) {
  EXPECT_TRUE(are_tied(0.1 + 0.2, 0.3));
  EXPECT_TRUE(are_tied(INFINITY, INFINITY));
  EXPECT_FALSE(are_tied(0.3 + 1e-9, 0.3));
  EXPECT_FALSE(are_tied(2e-13, 1e-13)) << "a small error is no rounding";
}

}  // namespace results
