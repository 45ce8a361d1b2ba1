// Numbers from rliable 1.2.0 (numpy 2.4.6, scipy 1.17.1):
//   x, y = numpy.array(kTasksOfX).T, numpy.array(kTasksOfY).T
//   metrics.aggregate_iqm(x), metrics.probability_of_improvement(x, y)
//   library.get_interval_estimates({"x": x}, lambda z: ..., reps=50000)
#include "results/tables/bootstrap.h"

#include <gtest/gtest.h>

#include <cmath>

namespace results {
namespace {

// Tasks with their seeds.
const Strata kTasksOfX = {{.1, .25, .3, .05, .6}, {.9, .7, .8, .95, .85}, {.4, .5, .65, .3, .45}};
const Strata kTasksOfY = {{.2, .15, .35, .1}, {.5, .75, .6, .65}, {.4, .35, .5, .2}};

constexpr double kEstimateRounding = 1e-15;
constexpr double kFewDraws = 0.01;  // between two seeds, ours and theirs differ by less

}  // namespace

TEST(Bootstrap, EstimatesAreThoseOfRliable) {
  EXPECT_NEAR(interquartile_mean(kTasksOfX), 0.5222222222222223, kEstimateRounding);
  EXPECT_NEAR(interquartile_mean({kTasksOfX[0]}), 0.21666666666666665, kEstimateRounding);
  EXPECT_NEAR(probability_above(kTasksOfX, kTasksOfY), 0.725, kEstimateRounding);
  EXPECT_EQ(interquartile_mean({{1, 2, 3}}), 2);
  EXPECT_EQ(interquartile_mean({{5, 1, 2, 9}}), 3.5);
  EXPECT_EQ(probability_above({{1, 2}}, {{1, 2}}), 0.5);
}

TEST(Bootstrap, IntervalsAreThoseOfRliable) {
  const Estimate iqm = bootstrap(kTasksOfX, interquartile_mean);
  EXPECT_NEAR(iqm.low, 0.4388888888888889, kFewDraws);
  EXPECT_NEAR(iqm.high, 0.6111111111111112, kFewDraws);
  const Estimate mean = bootstrap(kTasksOfX, mean_of_all);
  EXPECT_NEAR(mean.low, 0.4533333333333333, kFewDraws);
  EXPECT_NEAR(mean.high, 0.5933333333333333, kFewDraws);
  const Estimate above = bootstrap(kTasksOfX, kTasksOfY, probability_above);
  EXPECT_NEAR(above.low, 0.5333333333333333, kFewDraws);
  EXPECT_NEAR(above.high, 0.9, kFewDraws);
}

TEST(Bootstrap, OneSeedHasNoInterval) {
  const Estimate one = bootstrap({{0.5}, {0.7}}, mean_of_all);
  EXPECT_DOUBLE_EQ(one.value, 0.6);
  EXPECT_TRUE(std::isnan(one.low) && std::isnan(one.high));
  const Estimate above = bootstrap({{0.5}}, {{0.1, 0.9}}, probability_above);
  EXPECT_EQ(above.low, 0) << "the other side has two";
  EXPECT_EQ(above.high, 1);
}

TEST(Bootstrap, AnIntervalMayEndAtInfinity) {
  const Estimate mean = bootstrap({{2, 3, INFINITY}}, mean_of_all);
  EXPECT_EQ(mean.low, 2);
  EXPECT_EQ(mean.high, INFINITY);
}

TEST(Bootstrap, DrawsAreTheSameEveryTime) {
  EXPECT_EQ(bootstrap(kTasksOfX, interquartile_mean).low,
            bootstrap(kTasksOfX, interquartile_mean).low);
}

}  // namespace results
