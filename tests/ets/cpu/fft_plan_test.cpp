#include <gtest/gtest.h>

#include <cmath>
#include <numbers>
#include <tuple>

#include "ets/cpu/fft_conv_cpu.h"

namespace ets {

TEST(FftPlan, TakesTheNextPowerOfTwoOrThreeTimesOne) {
  for (const auto& [least, n, first] : {std::tuple{1, 12, 3},
                                        {13, 16, 4},
                                        {17, 24, 6},
                                        {31, 32, 8},
                                        {33, 48, 3},
                                        {65, 96, 6},
                                        {2000, 2048, 8},
                                        {3000, 3072, 3},
                                        {8192, 8192, 8}}) {
    const FftPlan<double> plan(least);
    EXPECT_EQ(plan.n, n) << least;
    EXPECT_EQ(plan.first, first) << least;
  }
}

TEST(FftPlan, HasFactorsForEachBlock) {
  const FftPlan<double> plan(100);  // 128 = 8 * 4 * 4
  ASSERT_EQ(plan.factors.size(), 3u);
  EXPECT_EQ(plan.factors[0].size(), 7u * 2);
  EXPECT_EQ(plan.factors[1].size(), 8u * 3 * 2);
  EXPECT_EQ(plan.factors[2].size(), 32u * 3 * 2);
  // w^8 = -i.
  EXPECT_NEAR(plan.factors[0][6], std::cos(std::numbers::pi / 4), 1e-15);
  EXPECT_NEAR(plan.factors[0][7], -std::sin(std::numbers::pi / 4), 1e-15);
  // Block 1 of a step by eight is its third: z^16 = exp(-2 pi i (1/4 + 2) / 8), w^4.
  EXPECT_NEAR(plan.factors[1][6], std::cos(9 * std::numbers::pi / 64), 1e-15);
  EXPECT_NEAR(plan.factors[1][7], -std::sin(9 * std::numbers::pi / 64), 1e-15);
}

}  // namespace ets
