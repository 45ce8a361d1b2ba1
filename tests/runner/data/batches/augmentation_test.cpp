#include "runner/data/batches/augmentation.h"

#include <gtest/gtest.h>

#include <cmath>
#include <set>
#include <vector>

namespace runner {
namespace {

constexpr PictureShape kShape{8, 12, 3};
constexpr std::size_t kValues = 8 * 12 * 3;

Augmentation augmentation_of(std::vector<std::string> settings,
                             const PictureShape& shape = kShape) {
  settings.insert(settings.end(), {"task.name=cifar-10", "model.code=ssm"});
  return Augmentation(parse_config("", "", settings, [](const std::string&) {}), shape);
}

std::size_t at(std::int64_t row, std::int64_t column, std::int64_t channel = 0) {
  return static_cast<std::size_t>((row * kShape.columns + column) * kShape.channels + channel);
}

bool holds(const PictureBox& box, std::int64_t row, std::int64_t column) {
  return row >= box.top && row < box.bottom && column >= box.left && column < box.right;
}

TEST(Augmentation, IsOffByDefault) {
  const Augmentation none = augmentation_of({});
  EXPECT_FALSE(none.erases());
  EXPECT_FALSE(none.mixes());
  EXPECT_FALSE(none.changes_labels());
  EXPECT_EQ(none.mix_of(3).share, 1);
}

// A Beta(a, a) has the mean 1/2 and the variance 1 / (4 (2 a + 1)).
TEST(Augmentation, MixesByABetaDistribution) {
  for (const double alpha : {0.2, 0.8, 3.0}) {
    const Augmentation mixup = augmentation_of({"optim.mixup=" + std::to_string(alpha)});
    constexpr int kSteps = 20000;
    double sum = 0, squares = 0;
    for (std::uint64_t step = 1; step <= kSteps; ++step) {
      const Mix mix = mixup.mix_of(step);
      ASSERT_FALSE(mix.box);
      ASSERT_TRUE(mix.share >= 0 && mix.share <= 1);
      sum += mix.share - 0.5;
      squares += (mix.share - 0.5) * (mix.share - 0.5);
    }
    const double variance = 1 / (4 * (2 * alpha + 1));
    EXPECT_NEAR(sum / kSteps, 0, 5 * std::sqrt(variance / kSteps)) << alpha;
    EXPECT_NEAR(squares / kSteps, variance, 0.05 * variance) << alpha;
  }
}

TEST(Augmentation, MixupAddsSharesOfBoth) {
  const Augmentation mixup = augmentation_of({"optim.mixup=1"});
  std::vector<float> x(kValues, 2), other(kValues, -1);
  mixup.mix(x, other, {0.25, {}});
  EXPECT_EQ(x, std::vector<float>(kValues, 0.25f * 2 - 0.75f));
}

TEST(Augmentation, CutmixCopiesABoxWhoseShareItCounts) {
  const Augmentation cutmix = augmentation_of({"optim.cutmix=1"});
  double sum = 0;
  for (std::uint64_t step = 1; step <= 300; ++step) {
    const Mix mix = cutmix.mix_of(step);
    ASSERT_TRUE(mix.box);
    std::vector<float> x(kValues, 1), other(kValues, 7);
    cutmix.mix(x, other, mix);
    int own = 0;
    for (std::int64_t row = 0; row < 8; ++row)
      for (std::int64_t column = 0; column < 12; ++column)
        for (std::int64_t channel = 0; channel < 3; ++channel) {
          const float value = x[at(row, column, channel)];
          ASSERT_EQ(value, holds(*mix.box, row, column) ? 7 : 1);
          own += value == 1;
        }
    EXPECT_NEAR(own / static_cast<double>(kValues), mix.share, 1e-12);
    sum += mix.share;
  }
  EXPECT_GT(sum / 300, 0.5);  // the box is cut at the sides of the picture
  EXPECT_LT(sum / 300, 0.8);
}

TEST(Augmentation, TakesTurnsBetweenMixupAndCutmix) {
  const Augmentation both = augmentation_of({"optim.mixup=0.8", "optim.cutmix=1"});
  int boxes = 0;
  for (std::uint64_t step = 1; step <= 1000; ++step) boxes += both.mix_of(step).box.has_value();
  EXPECT_NEAR(boxes, 500, 80);  // five standard deviations
}

TEST(Augmentation, ErasesABoxOfItsShareOfPictures) {
  const Augmentation erase = augmentation_of({"optim.erase=0.25"});
  int erased = 0;
  double values = 0, squares = 0;
  for (std::uint64_t place = 0; place < 2000; ++place) {
    const auto box = erase.erased_box(7, place);
    std::vector<float> x(kValues, 100);
    erase.erase(x, 7, place);
    if (!box) {
      ASSERT_EQ(x, std::vector<float>(kValues, 100));
      continue;
    }
    ++erased;
    ASSERT_TRUE(box->top >= 0 && box->bottom <= 8 && box->left >= 0 && box->right <= 12);
    // A third of the picture, and half a pixel on each side.
    EXPECT_LE(box->pixels(), 8 * 12 / 3 + 8 + 12);
    for (std::int64_t row = 0; row < 8; ++row)
      for (std::int64_t column = 0; column < 12; ++column) {
        const float value = x[at(row, column, 1)];
        ASSERT_EQ(value == 100, !holds(*box, row, column));
        if (value == 100) continue;
        ++values;
        squares += value * value;
      }
  }
  EXPECT_NEAR(erased, 500, 100);
  int again = 0;  // of the next step
  for (std::uint64_t place = 0; place < 2000; ++place)
    again += erase.erased_box(7, place).has_value() && erase.erased_box(8, place).has_value();
  EXPECT_NEAR(again, 125, 50);
  EXPECT_NEAR(squares / values, 1, 0.1);
}

TEST(Augmentation, DependsOnSeedStepAndPlaceAlone) {
  const Augmentation one = augmentation_of({"optim.erase=1", "optim.mixup=1"}),
                     same = augmentation_of({"optim.erase=1", "optim.mixup=1"}),
                     other = augmentation_of({"optim.erase=1", "optim.mixup=1", "seed=2"});
  const auto erased = [](const Augmentation& with, std::uint64_t step, std::uint64_t place) {
    std::vector<float> x(kValues, 0);
    with.erase(x, step, place);
    return x;
  };
  erased(same, 9, 9);
  EXPECT_EQ(erased(one, 3, 4), erased(same, 3, 4));
  EXPECT_EQ(one.mix_of(3).share, same.mix_of(3).share);
  const std::set<std::vector<float>> all = {erased(one, 3, 4), erased(one, 4, 4), erased(one, 3, 5),
                                            erased(other, 3, 4)};
  EXPECT_EQ(all.size(), 4u);
  EXPECT_NE(one.mix_of(3).share, one.mix_of(4).share);
  EXPECT_NE(one.mix_of(3).share, other.mix_of(3).share);
}

TEST(Augmentation, SharesALabelAmongAllClasses) {
  const Augmentation smooth = augmentation_of({"optim.smoothing=0.1", "optim.mixup=1"});
  std::vector<float> shares(10);
  smooth.labels(shares, 2, 7, 0.75);
  for (std::size_t c = 0; c < 10; ++c)
    EXPECT_FLOAT_EQ(shares[c], c == 2   ? 0.01f + 0.9f * 0.75f
                               : c == 7 ? 0.01f + 0.9f * 0.25f
                                        : 0.01f);
  smooth.labels(shares, 2, 2, 0.75);
  EXPECT_FLOAT_EQ(shares[2], 0.91f);
}

TEST(Augmentation, NeedsPicturesForBoxes) {
  EXPECT_NO_THROW(augmentation_of({"optim.mixup=1"}, {1, 100, 1}));
  EXPECT_THROW(augmentation_of({"optim.cutmix=1"}, {1, 100, 1}), std::invalid_argument);
  EXPECT_THROW(augmentation_of({"optim.erase=0.5"}, {1, 100, 1}), std::invalid_argument);
}

TEST(Patches, AreSquaresFromLeftToRightThenDown) {
  std::vector<float> picture(kValues), patches(kValues);
  for (std::size_t i = 0; i < kValues; ++i) picture[i] = static_cast<float>(i);
  cut_patches(picture, kShape, 4, patches);
  for (std::int64_t patch = 0; patch < 6; ++patch)
    for (std::int64_t row = 0; row < 4; ++row)
      for (std::int64_t column = 0; column < 4; ++column)
        for (std::int64_t channel = 0; channel < 3; ++channel)
          EXPECT_EQ(
              patches[static_cast<std::size_t>(((patch * 4 + row) * 4 + column) * 3 + channel)],
              picture[at(patch / 3 * 4 + row, patch % 3 * 4 + column, channel)]);
}

}  // namespace
}  // namespace runner
