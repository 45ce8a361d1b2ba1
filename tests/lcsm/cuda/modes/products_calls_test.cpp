// The kernels of the sum of many modes through the judge, forward and backward, against the
// definition in float64. LCSM_FUZZ=1 tries more sizes, and prints figures.
#include "lcsm/cuda/modes/products_calls.h"

#include <gtest/gtest.h>

#include <iostream>

#include "tests/lcsm/cuda/driver/expect_judged.h"
#include "tests/lcsm/cuda/modes/modes_case.h"

namespace lcsm::test {
namespace {

class Products : public testing::Test {
 protected:
  void SetUp() override {
    if (!built_kernels("products")) GTEST_SKIP() << "no CUDA toolkit when this was built";
  }
  static Judged judged(const ModesShape& shape, int orders = 1) {
    EXPECT_EQ(kernels_of(shape), "products") << name_of(shape);
    return expect_right(shape, orders);
  }
};

}  // namespace

// Whole chunks and tiles, a step more or less; entering and leaving states; padding; time in
// segments.
TEST_F(Products, AreRightForEveryLength) {
  int n = 0;
  for (const int T : {128, 159, 480, 511, 512, 513, 1100})
    for (const Ways ways : {Ways::kForward, Ways::kBack, Ways::kBoth})
      for (const bool is_complex : {true, false})
        for (const bool bfloat16 : {false, true})
          for (const int processors : {1, 40})
            if (fuzzes() || n++ % 5 == 0)
              judged({.B = T > 1000 ? 1 : 2,
                      .T = T,
                      .D = bfloat16 ? 9 : 5,
                      .N = is_complex ? 20 : 41,
                      .ways = ways,
                      .is_complex = is_complex,
                      .late = T % 2 == 1,
                      .bfloat16 = bfloat16,
                      .first = T != 512,
                      .shortcut = true,
                      .padding = T % 3 == 0,
                      .processors = processors});
}

// A group that is not full, several, several passes; channels by 16 bytes, and odd ones.
TEST_F(Products, AreRightForEveryNumberOfModesAndChannels) {
  int n = 0;
  for (const int N : {9, 16, 32, 33, 70})
    for (const int D : {1, 8, 17, 32})
      for (const bool bfloat16 : {false, true})
        if (fuzzes() || n++ % 3 == 0)
          judged({.B = 1,
                  .T = 300,
                  .D = D,
                  .N = N,
                  .ways = N == 9 ? Ways::kBoth : Ways::kForward,
                  .is_complex = true,
                  .late = D == 8,
                  .bfloat16 = bfloat16,
                  .first = true,
                  .shortcut = D > 1});
}

TEST_F(Products, GiveTheSameInEveryOrder) {
  for (const int processors : {1, 40})
    judged({.B = 1,
            .T = 1060,
            .D = 9,
            .N = 9,
            .ways = Ways::kBoth,
            .is_complex = true,
            .first = true,
            .processors = processors},
           3);
}

// A turn that is off by one part in a million per step would be a quarter of a radian at the end.
TEST_F(Products, KeepPhasesOfLongSequences) {
  for (const int processors : {1, 40})
    judged({.B = 1,
            .T = 30000,
            .D = 1,
            .N = 9,
            .is_complex = true,
            .first = true,
            .processors = processors,
            .decay = 1e-9});
}

// x and d_y once, or once more where time is split, y and d_x once, the states of each tile; for
// each segment the modes, and backward its sums.
TEST_F(Products, MoveNoMoreThanTheAlgorithm) {
  for (const bool bfloat16 : {false, true})
    for (const int processors : {1, 40}) {
      const ModesShape shape{.B = 1,
                             .T = 4096,
                             .D = 16,
                             .N = 32,
                             .is_complex = true,
                             .bfloat16 = bfloat16,
                             .processors = processors};
      const double values = 2.0 * 32 * 16, data = (bfloat16 ? 2.0 : 4.0) * 4096 * 16,
                   segments = processors == 1 ? 1 : 4, modes = 16 * values * segments,
                   states = 4 * values * products_tiles(4096),
                   sums = segments * (8 * values + 4 * 16 * kProductsSteps);
      for (const auto& [kernel, counts] : judged(shape).counts) {
        const double bytes = kernel.starts_with("products_forward") ? 2 * data + states + modes
                             : kernel.starts_with("products_backward")
                                 ? 3 * data + states + modes + sums
                             : kernel.starts_with("products") ? data + states + modes
                                                              : 0;
        if (bytes == 0) continue;
        const double moved =
            32.0 * static_cast<double>(counts.global_read.used + counts.global_write.used);
        EXPECT_LE(moved, 1.3 * bytes) << kernel << ", " << name_of(shape);
        EXPECT_LE(static_cast<double>(counts.shared.used),
                  1.1 * static_cast<double>(counts.shared.ideal))
            << kernel << ", " << name_of(shape);
        if (fuzzes())
          std::cout << kernel << ", " << name_of(shape) << ": " << moved / bytes
                    << " of the bytes, " << moved / data << " of x, " << counts.instructions
                    << " instructions, wavefronts "
                    << static_cast<double>(counts.shared.used) /
                           static_cast<double>(counts.shared.ideal)
                    << "\n";
      }
    }
}

TEST(ProductsCalls, TakeOverWhereTheyCostLess) {
  ModesWork work;
  work.modes.count = 1;
  const auto taken = [&](bool is_complex, int N, int T) {
    work.is_complex = is_complex;
    work.modes.directions[0].N = N;
    work.modes.T = T;
    return modes_by_products(work);
  };
  EXPECT_FALSE(taken(true, 4, 100'000));
  EXPECT_TRUE(taken(true, 5, kProductsTile));
  EXPECT_FALSE(taken(true, 5, kProductsTile - 1));
  EXPECT_TRUE(taken(true, 32, 80));
  EXPECT_FALSE(taken(false, 8, 100'000));
  EXPECT_TRUE(taken(false, 16, kProductsTile));
  work.modes.count = 2;  // one of few modes: both by recurrence
  work.modes.directions[1].N = 2;
  EXPECT_FALSE(taken(true, 32, kProductsTile));
}

}  // namespace lcsm::test
