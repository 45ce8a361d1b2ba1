#include "runner/data/tasks/example_order.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <numeric>

namespace runner {

TEST(ExampleOrder, FixedIsAsGenerated) {
  EXPECT_EQ(example_order(false, 4, 1, 9), (std::vector<std::uint32_t>{0, 1, 2, 3}));
  EXPECT_TRUE(example_order(true, 0, 1, 0).empty());
}

TEST(ExampleOrder, ConsecutiveRowsContinueTheirTexts) {
  // 0 1 2 3 | 4 5 6 | 7 8 9
  EXPECT_EQ(consecutive_order(10, 3), (std::vector<std::uint32_t>{0, 4, 7, 1, 5, 8, 2, 6, 9, 3}));
  EXPECT_EQ(consecutive_order(4, 2), (std::vector<std::uint32_t>{0, 2, 1, 3}));
  EXPECT_EQ(consecutive_order(2, 5), (std::vector<std::uint32_t>{0, 1}));
  EXPECT_TRUE(consecutive_order(0, 5).empty());
}

TEST(ExampleOrder, ShuffledHasEachOnceAndAnotherOrderEachEpoch) {
  std::vector<std::uint32_t> all(1000);
  std::iota(all.begin(), all.end(), 0u);
  const auto first = example_order(true, 1000, 1, 0), second = example_order(true, 1000, 1, 1);
  EXPECT_NE(first, second);
  EXPECT_NE(first, example_order(true, 1000, 2, 0));
  EXPECT_EQ(first, example_order(true, 1000, 1, 0));
  for (auto order : {first, second}) {
    std::sort(order.begin(), order.end());
    EXPECT_EQ(order, all);
  }
}

// 24 orders of 4, 24 000 epochs: chi-square has 23 degrees of freedom, so five standard deviations
// are 23 + 5 * sqrt(46) < 57.
TEST(ExampleOrder, GivesEachPermutationAlike) {
  std::map<std::vector<std::uint32_t>, double> counts;
  for (std::uint64_t epoch = 0; epoch < 24000; ++epoch) ++counts[example_order(true, 4, 3, epoch)];
  ASSERT_EQ(counts.size(), 24u);
  double chi = 0;
  for (const auto& [order, count] : counts) chi += (count - 1000) * (count - 1000) / 1000;
  EXPECT_LT(chi, 57);
}

TEST(ExampleOrder, SpreadsAFewOverAll) {
  std::vector<std::uint32_t> all(10);
  std::iota(all.begin(), all.end(), 20u);
  EXPECT_EQ(spread_over(all, 4), (std::vector<std::uint32_t>{20, 22, 25, 27}));
  EXPECT_EQ(spread_over(all, 1), (std::vector<std::uint32_t>{20}));
  for (const std::uint64_t most : {0, 10, 11}) EXPECT_EQ(spread_over(all, most), all);
}

TEST(ExampleOrder, OfASeedNeverChanges) {
  EXPECT_EQ(example_order(true, 8, 1, 0), (std::vector<std::uint32_t>{3, 5, 1, 0, 2, 7, 4, 6}));
}

}  // namespace runner
