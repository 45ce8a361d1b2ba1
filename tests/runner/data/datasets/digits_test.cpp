#include "runner/data/datasets/digits.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <set>
#include <vector>

namespace runner {
namespace {

using DigitPixels = std::array<double, kDigitSide * kDigitSide>;

struct ShownDigit {
  std::uint32_t label = 0;
  DigitPixels pixels{};
};

ShownDigit shown_digit(Split split, std::uint64_t index) {
  RandomStream random(1, split, index);
  const NewExample example = digit_example(random);
  ShownDigit out{.label = example.label};
  for (std::size_t i = 0; i < out.pixels.size(); ++i)
    out.pixels[i] = static_cast<unsigned char>(example.sequences.at(0).at(i)) / 255.0;
  return out;
}

}  // namespace

TEST(Digits, FillAPictureAndHaveEveryLabel) {
  std::set<std::uint32_t> labels;
  for (std::uint64_t i = 0; i < 200; ++i) {
    RandomStream random(1, Split::kTrain, i);
    const NewExample example = digit_example(random);
    EXPECT_EQ(example.sequences.at(0).size(), kDigitSide * kDigitSide);
    labels.insert(example.label);
  }
  EXPECT_EQ(labels.size(), kDigitClasses);
}

// The brightest pixel is a stroke's, at least as bright as the faintest ink.
TEST(Digits, HaveInkAndNoise) {
  for (std::uint64_t i = 0; i < 100; ++i) {
    const DigitPixels pixels = shown_digit(Split::kTrain, i).pixels;
    const auto bright =
        std::count_if(pixels.begin(), pixels.end(), [](double x) { return x > 0.4; });
    EXPECT_GE(bright, 4) << i;
    EXPECT_LE(bright, 80) << i;
  }
}

// The labels follow from the pixels, but not from the number of bright ones: the nearest of 2000
// pictures classifies most digits, the nearest brightness few.
TEST(Digits, AreToldByTheirShape) {
  std::vector<ShownDigit> known;
  for (std::uint64_t i = 0; i < 2000; ++i) known.push_back(shown_digit(Split::kTrain, i));
  const auto sum = [](const DigitPixels& pixels) {
    double all = 0;
    for (const double pixel : pixels) all += pixel;
    return all;
  };
  int by_pixels = 0, by_sum = 0;
  constexpr std::uint64_t kAsked = 200;
  for (std::uint64_t i = 0; i < kAsked; ++i) {
    const ShownDigit asked = shown_digit(Split::kTest, i);
    double least = 1e9, least_sum = 1e9;
    std::uint32_t nearest = 0, nearest_sum = 0;
    for (const ShownDigit& one : known) {
      double square = 0;
      for (std::size_t j = 0; j < asked.pixels.size(); ++j)
        square += (asked.pixels[j] - one.pixels[j]) * (asked.pixels[j] - one.pixels[j]);
      if (square < least) least = square, nearest = one.label;
      const double gap = std::abs(sum(asked.pixels) - sum(one.pixels));
      if (gap < least_sum) least_sum = gap, nearest_sum = one.label;
    }
    by_pixels += nearest == asked.label ? 1 : 0;
    by_sum += nearest_sum == asked.label ? 1 : 0;
  }
  EXPECT_GT(by_pixels, kAsked / 2);
  EXPECT_LT(by_sum, static_cast<int>(kAsked / 4));
}

}  // namespace runner
