#include "ets/families/hippo.h"

#include <gtest/gtest.h>

#include <cmath>

namespace ets {
namespace {

double low_rank(std::int64_t n) { return std::sqrt(static_cast<double>(n) + 0.5); }

// HiPPO-LegS by its definition.
double legs(std::int64_t n, std::int64_t k) {
  if (n < k) return 0;
  if (n == k) return -static_cast<double>(n + 1);
  return -std::sqrt(static_cast<double>((2 * n + 1) * (2 * k + 1)));
}

}  // namespace

// Jacobi rotations end with errors of a few roundings of the largest entry, which is about n.
TEST(Hippo, IsTheMatrixAgain) {
  for (const std::int64_t n : {1, 2, 3, 16, 64}) {
    const Hippo h = hippo(n);
    for (std::int64_t row = 0; row < n; ++row)
      for (std::int64_t column = 0; column < n; ++column) {
        Complex sum = -low_rank(row) * low_rank(column);
        for (std::int64_t i = 0; i < n; ++i)
          sum += h.vector(row, i) * h.rates[static_cast<std::size_t>(i)] *
                 std::conj(h.vector(column, i));
        ASSERT_NEAR(std::abs(sum - legs(row, column)), 0, 1e-13 * static_cast<double>(n * n))
            << n << ": " << row << ", " << column;
      }
  }
}

TEST(Hippo, HasOrderedConjugatePairsAndPositiveProjections) {
  const Hippo h = hippo(8);
  for (std::size_t i = 0; i < 8; ++i) {
    EXPECT_EQ(h.rates[i].real(), -0.5);
    EXPECT_NEAR(h.rates[i].imag(), -h.rates[7 - i].imag(), 1e-13);
    if (i > 0) {
      EXPECT_GT(h.rates[i].imag(), h.rates[i - 1].imag());
    }
    Complex p = 0;
    for (std::int64_t row = 0; row < 8; ++row)
      p += std::conj(h.vector(row, static_cast<std::int64_t>(i))) * low_rank(row);
    EXPECT_NEAR(std::abs(p - h.low_rank[i]), 0, 1e-14);
    EXPECT_GT(h.low_rank[i], 0);
    EXPECT_EQ(h.input[i], std::sqrt(2.0) * h.low_rank[i]);
  }
}

}  // namespace ets
