// The test behind marks and claims. Numbers from scipy 1.17.1, printed in full:
//   d = numpy.subtract(a, b); scipy.stats.ttest_rel(a, b)
//   error = sqrt(d.var(ddof=1) / 3 + v(a.mean()) + v(b.mean())), v(p) = q (1 - q) / (N + 4) with
//   q = (N p + 2) / (N + 4); p = 2 scipy.stats.t.sf(|d.mean()| / error, 2)
//   detectable: the root in s of scipy.stats.nct.sf(t.ppf(1 - alpha / 2, n - 1), n - 1, s) = 0.8
#include "results/tables/difference.h"

#include <gtest/gtest.h>

#include <cmath>
#include <random>

namespace results {
namespace {

constexpr double kTestRounding = 1e-12;  // relative; both sides are in double

const std::vector<double> kGate = {0.9635, 0.966, 0.9225}, kFrozen = {0.5375, 0.5425, 0.548};

Difference tested(const std::vector<double>& a, const std::vector<double>& b,
                  const Scale& scale = {}) {
  return difference_of({{a, b, scale}});
}

}  // namespace

TEST(Difference, IsTestedAsByScipy) {
  const Difference known = tested({24.1, 24.5, 23.9, 24.8}, {24.6, 24.9, 24.1, 24.9});
  EXPECT_NEAR(known.p, 0.04620509135336333, kTestRounding);
  const Difference gate = tested(kGate, kFrozen);
  EXPECT_NEAR(gate.p, 0.0016842884631171518, kTestRounding);
  EXPECT_NEAR(gate.interval(0.05).low, 0.3358637033169479, kTestRounding);
  EXPECT_NEAR(gate.interval(0.05).high, 0.480136296683052, kTestRounding);
}

TEST(Difference, OfInfiniteValuesIsNotTested) {
  for (const double second : {24.5, double{INFINITY}}) {
    const std::vector<double> a{INFINITY, second, second};
    EXPECT_TRUE(std::isnan(tested(a, {24.6, 24.9, 24.1}).p));
    EXPECT_TRUE(std::isnan(tested(a, {INFINITY, 24.9, 24.1}).p));
    EXPECT_TRUE(std::isnan(tested({24.6, 24.9, 24.1}, a).p));
  }
}

// A share of 1000 examples has a binomial error, too.
TEST(Difference, OfSharesKnowsTheNumberOfExamples) {
  const Difference gate = tested(kGate, kFrozen, scale_of("test.accuracy", 1000));
  EXPECT_NEAR(gate.error, 0.024012703329698733, kTestRounding);
  EXPECT_NEAR(gate.p, 0.0034459772618372865, kTestRounding);
  EXPECT_GT(tested(kGate, kFrozen, scale_of("test.accuracy", 100)).p, gate.p);
  const Scale scale = scale_of("test.accuracy", 1000);
  EXPECT_EQ(difference_of({{{}, {}, scale}, {kGate, kFrozen, scale}}).p, gate.p) << "no pairs";
  EXPECT_EQ(tested(kGate, kFrozen, scale_of("test.loss", 1000)).p, tested(kGate, kFrozen).p);
}

TEST(Difference, NeedsThreePairsWithASpread) {
  const Difference two = tested({1, 2}, {2, 4});
  EXPECT_EQ(two.obstacle, Difference::Obstacle::kFewPairs);
  EXPECT_TRUE(std::isnan(two.p));
  EXPECT_EQ(tested({0, 0, 0}, {0, 0, 0}).obstacle, Difference::Obstacle::kNoSpread);
  for (const std::vector<double>& b : {std::vector<double>{2, 3, 4}, {1, 2, 3}}) {
    const Difference equal = tested({1, 2, 3}, b);
    EXPECT_EQ(equal.obstacle, Difference::Obstacle::kNoSpread);
    EXPECT_TRUE(std::isnan(equal.p));
  }
  // Equal except for float32 rounding.
  EXPECT_TRUE(std::isnan(tested({24.5, 25, 26}, {24.0000001, 24.5, 25.5000001}).p));
  // One example of a hundred is 0.01.
  const std::vector<double> a = {0.90, 0.91, 0.92}, b = {0.80, 0.81, 0.825};
  EXPECT_TRUE(std::isnan(tested(a, b, scale_of("test.accuracy", 100)).p));
  EXPECT_FALSE(std::isnan(tested(a, b, scale_of("test.accuracy", 1000)).p));
  EXPECT_TRUE(std::isnan(difference_of({{a, b, scale_of("test.accuracy", 100)},
                                        {a, b, scale_of("test.accuracy", 1000)}})
                             .p));
}

// Differences of 14, 15 and 16 of 96 examples spread by one, however their quotients are rounded.
TEST(Difference, OfASpreadOfOneExampleIsTested) {
  for (int first = 0; first < 80; ++first) {
    const double b = first / 96.0;
    const Difference one = tested({(first + 14) / 96.0, (first + 15) / 96.0, (first + 16) / 96.0},
                                  {b, b, b}, scale_of("test.accuracy", 96));
    EXPECT_FALSE(std::isnan(one.p)) << first;
  }
}

TEST(Difference, StaysWithinTheMetricsBounds) {
  const Difference wide = tested({1, 0.4, 0.9}, {0.1, 0, 0.05}, scale_of("test.accuracy"));
  EXPECT_EQ(wide.interval(0.001).high, 1);
  EXPECT_EQ(wide.interval(0.001).low, -1);
  const Statistics statistics = statistics_of({1, 0.4, 0.9}, scale_of("test.accuracy"));
  EXPECT_EQ(statistics.high, 1);
  EXPECT_EQ(statistics_of({1, 5, 30}, scale_of("valid.ppl")).low, 1);
}

TEST(Difference, DetectableOnesAreThoseOfScipy) {
  EXPECT_NEAR(detectable(1, 3, 0.05), 5.65348926640557, 1e-9);
  EXPECT_NEAR(detectable(1, 5, 0.05), 3.7610602610043022, 1e-9);
  EXPECT_NEAR(detectable(2, 5, 0.05 / 6), 2 * 6.169898824161777, 1e-9);
  EXPECT_NEAR(detectable(1, 10, 0.05), 3.1496356782722197, 1e-9);
}

TEST(Difference, NeedsAtLeastThePairsOfATest) {
  EXPECT_EQ(pairs_needed(tested({10, 11, 12.1}, {1, 2, 3}), kAlpha, 100), kFewestPairs);
}

// Simulation: the reported difference is found as often as the power says.
TEST(Difference, HasTheAnnouncedPower) {
  std::mt19937 random(3);
  std::normal_distribution<double> normal;
  constexpr int kRepetitions = 20000, kSeeds = 5;
  const double truth = detectable(std::sqrt(2.0 / kSeeds), kSeeds, kAlpha);
  int found = 0;
  for (int i = 0; i < kRepetitions; ++i) {
    std::vector<double> a(kSeeds), b(kSeeds);
    for (double& x : a) x = normal(random) + truth;
    for (double& x : b) x = normal(random);
    found += tested(a, b).p < kAlpha;
  }
  // Five standard deviations of a binomial count.
  EXPECT_NEAR(found, kRepetitions * kPower, 5 * std::sqrt(kRepetitions * kPower * (1 - kPower)));
}

// Without a difference, p is uniform between 0 and 1.
TEST(Difference, UnderTheNullOneTestOfTwentyIsBelowFivePercent) {
  std::mt19937 random(11);
  std::normal_distribution<double> normal;
  constexpr int kTests = 20000;
  int below = 0;
  for (int i = 0; i < kTests; ++i) {
    std::vector<double> a(4), b(4);
    for (double& x : a) x = normal(random);
    for (double& x : b) x = normal(random);
    below += tested(a, b).p < kAlpha;
  }
  // Five standard deviations of a binomial count.
  EXPECT_NEAR(below, kTests * 0.05, 5 * std::sqrt(kTests * 0.05 * 0.95));
}

// Two models with equal true accuracy: draws the examples of the split as well as the seeds, and
// separate errors per share.
TEST(Difference, OfEqualSharesIsSeldomFound) {
  std::mt19937 random(4);
  constexpr int kTests = 4000, kSeeds = 3, kExamples = 200;
  for (const double truth : {0.5, 0.9, 0.99}) {
    std::normal_distribution<double> seeds(0, 0.003);
    std::binomial_distribution<int> examples(kExamples, truth);
    int below = 0;
    for (int i = 0; i < kTests; ++i) {
      std::vector<double> a, b;
      const double of_a = examples(random), of_b = examples(random);
      for (int seed = 0; seed < kSeeds; ++seed) {
        a.push_back(of_a / kExamples + seeds(random));
        b.push_back(of_b / kExamples + seeds(random));
      }
      below += tested(a, b, scale_of("test.accuracy", kExamples)).p < kAlpha;
    }
    // Three standard deviations of a count with probability 0.05.
    EXPECT_LE(below, kTests * 0.05 + 3 * std::sqrt(kTests * 0.05 * 0.95)) << truth;
  }
}

}  // namespace results
