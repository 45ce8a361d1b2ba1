#include "results/store/summary.h"

#include <gtest/gtest.h>

#include <cmath>

namespace results {

TEST(Summary, KeepsTheLastAndTheFirstOfTheExtremes) {
  Summary summary;
  for (const auto& [step, value] : {std::pair{1, 3.0}, {2, 1.0}, {3, 1.0}, {4, 3.0}, {5, 2.0}})
    summary.add(step, value);
  EXPECT_EQ(summary.rows, 5);
  EXPECT_EQ(summary.last, 2.0);
  EXPECT_EQ(summary.lowest.step, 2);
  EXPECT_EQ(summary.highest.step, 1);
}

TEST(Summary, NaNIsNoExtreme) {
  Summary summary;
  summary.add(1, std::nan(""));
  EXPECT_FALSE(summary.lowest.known);
  summary.add(2, 5);
  summary.add(3, std::nan(""));
  EXPECT_EQ(summary.lowest.value, 5);
  EXPECT_TRUE(std::isnan(summary.last));
}

}  // namespace results
