#include "runner/base/random/random.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <set>
#include <vector>

namespace runner {

TEST(Random, StreamsDifferInSeedUseAndIndex) {
  std::set<std::uint64_t> seen;
  const auto draw = [&seen](RandomStream random) {
    for (int i = 0; i < 10; ++i) EXPECT_TRUE(seen.insert(random.next64()).second);
  };
  for (const std::uint64_t seed : {0ull, 1ull, 1ull << 32})
    for (const std::uint64_t index : {0ull, 1ull, 1ull << 32}) {
      for (const Split split : kSplits) draw({seed, split, index});
      for (const Draw use : {Draw::kOrder, Draw::kDropout}) draw({seed, use, index});
    }
}

// A format: the examples of every run, the orders and the masks come from these.
TEST(Random, UsesKeepTheirNumbers) {
  EXPECT_EQ(static_cast<int>(Split::kTrain), 1);
  EXPECT_EQ(static_cast<int>(Split::kValid), 2);
  EXPECT_EQ(static_cast<int>(Split::kTest), 3);
  EXPECT_EQ(static_cast<int>(Draw::kOrder), 4);
  EXPECT_EQ(static_cast<int>(Draw::kDropout), 5);
}

// Chi-square over n cells has mean n-1 and variance 2(n-1): five standard deviations, for one
// fixed seed, leave no room for a bias of a percent.
TEST(Random, BelowGivesEachNumberAlike) {
  for (const std::uint64_t n : {1ull, 2ull, 3ull, 10ull, 1000ull}) {
    RandomStream random(7, Split::kTrain, n);
    std::vector<double> counts(n);
    const double draws = 200.0 * static_cast<double>(n);
    for (double i = 0; i < draws; ++i) counts.at(random.below(n)) += 1;
    double chi = 0;
    for (const double count : counts) chi += (count - 200) * (count - 200) / 200;
    const double df = static_cast<double>(n) - 1;
    EXPECT_LE(std::abs(chi - df), 5 * std::sqrt(2 * df)) << n;
  }
}

TEST(Random, BelowReachesBeyond32Bits) {
  RandomStream random(7, Split::kTrain, 0);
  const std::uint64_t n = (std::uint64_t{1} << 40) + 1;
  std::uint64_t largest = 0;
  for (int i = 0; i < 1000; ++i) {
    const std::uint64_t number = random.below(n);
    ASSERT_LT(number, n);
    largest = std::max(largest, number);
  }
  EXPECT_GT(largest, n / 100 * 98);
}

}  // namespace runner
