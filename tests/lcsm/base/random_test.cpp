#include "lcsm/base/random.h"

#include <gtest/gtest.h>

#include <cmath>

namespace lcsm {

TEST(Random, IsTheSameEverywhere) {
  Random random(1);
  EXPECT_EQ(random.uniform(), static_cast<double>(0x910a2dec89025cc1ull >> 11) * 0x1p-53);
}

// The mean of n draws is off by about 1 / sqrt(n), and the variance by about sqrt(2 / n); never by
// six times that.
TEST(Random, NormalHasMeanZeroAndVarianceOne) {
  Random random(2);
  constexpr int kDraws = 10000;
  double sum = 0, squares = 0;
  for (int n = 0; n < kDraws; ++n) {
    const double x = random.normal();
    sum += x;
    squares += x * x;
  }
  EXPECT_NEAR(sum / kDraws, 0, 6 / std::sqrt(kDraws));
  EXPECT_NEAR(squares / kDraws, 1, 6 * std::sqrt(2.0 / kDraws));
}

}  // namespace lcsm
