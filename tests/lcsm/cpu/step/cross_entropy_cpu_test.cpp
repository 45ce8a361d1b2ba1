// The kernel against its formula in float64.
#include "lcsm/cpu/step/cross_entropy_cpu.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <vector>

#include "tests/lcsm/cpu/random_values.h"

namespace lcsm {
namespace {

constexpr std::int64_t kRows = 3;

void expect_defined(std::int64_t classes, double strength, bool learns) {
  SCOPED_TRACE(testing::Message() << classes << " " << strength << " " << learns);
  constexpr float kBeyond = 12345, kWeight = 0.25;
  std::vector<float> logits(static_cast<std::size_t>(kRows * classes) + 1, kBeyond);
  const Values drawn = random_values(kRows * classes, 1);
  for (std::size_t n = 0; n < drawn.size(); ++n)
    logits[n] = static_cast<float>(strength * drawn[n]);
  const std::vector<float> given = logits;
  const std::vector<std::int64_t> targets{0, classes - 1, classes / 2};
  Values losses(kRows);
  std::vector<float> right(kRows, kBeyond);
  run_cross_entropy({kRows, classes, logits.data(), targets.data(), losses.data(), right.data(),
                     learns, kWeight});
  EXPECT_EQ(logits.back(), kBeyond);
  for (std::int64_t r = 0; r < kRows; ++r) {
    const auto at = [&](std::int64_t c) { return static_cast<std::size_t>(r * classes + c); };
    const std::int64_t target = targets[static_cast<std::size_t>(r)];
    double most = given[at(0)], sum = 0;
    for (std::int64_t c = 0; c < classes; ++c) most = std::max<double>(most, given[at(c)]);
    for (std::int64_t c = 0; c < classes; ++c) sum += std::exp(given[at(c)] - most);
    const auto first = given.begin() + r * classes;
    EXPECT_EQ(right[static_cast<std::size_t>(r)],
              std::max_element(first, first + classes) == first + target);
    const double loss = most + std::log(sum) - given[at(target)];
    EXPECT_NEAR(losses[static_cast<std::size_t>(r)], loss, 1e-6 * (1 + loss));
    for (std::int64_t c = 0; c < classes; ++c) {
      const double expected =
          learns ? kWeight * (std::exp(given[at(c)] - most) / sum - (c == target)) : given[at(c)];
      EXPECT_NEAR(logits[at(c)], expected, 1e-6 * (learns ? 1 : 0)) << r << " " << c;
    }
  }
}

TEST(CrossEntropyCpu, IsItsFormula) {
  for (const std::int64_t classes : {1, 2, 15, 16, 17, 63, 64, 65, 300, 8192})
    for (const bool learns : {true, false})
      for (const double strength : {1.0, 200.0}) expect_defined(classes, strength, learns);
}

// As argmax, which finds the first of the largest.
TEST(CrossEntropyCpu, IsRightForOneOfEqualLogits) {
  std::vector<float> logits{1, 3, 3, 1, 3, 3};
  const std::vector<std::int64_t> targets{1, 2};
  Values losses(2);
  std::vector<float> right(2);
  run_cross_entropy({2, 3, logits.data(), targets.data(), losses.data(), right.data(), false});
  EXPECT_EQ(right, (std::vector<float>{1, 0}));
}

TEST(CrossEntropyCpu, KeepsWhatIsNotANumber) {
  std::vector<float> logits{1, std::nanf(""), 2};
  const std::int64_t target = 0;
  double loss = 0;
  run_cross_entropy({1, 3, logits.data(), &target, &loss, nullptr, true});
  EXPECT_TRUE(std::isnan(loss));
}

}  // namespace
}  // namespace lcsm
