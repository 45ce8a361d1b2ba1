#include <gtest/gtest.h>

#include "ets/cpu/fft_conv_cpu.h"

namespace ets {

TEST(FftPlan, TakesTheNextPowerOfTwoOrThreeTimesOne) {
  for (const auto& [least, n, leaf] : {std::tuple{1, 12, 3},
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
    EXPECT_EQ(plan.leaf, leaf) << least;
  }
}

TEST(FftPlan, HasFactorsForEachLevel) {
  const FftPlan<double> plan(100);  // 128 = 4 * 4 * 8
  ASSERT_EQ(plan.factors.size(), 2u);
  EXPECT_EQ(plan.factors[0].size(), 32u * 6);
  EXPECT_EQ(plan.factors[1].size(), 8u * 6);
  // exp(-2 pi i 4 * 2 / 32) = -i, of j = 4 and m = 2.
  EXPECT_NEAR(plan.factors[1][4 * 6 + 2], 0, 1e-16);
  EXPECT_NEAR(plan.factors[1][4 * 6 + 3], -1, 1e-16);
}

}  // namespace ets
