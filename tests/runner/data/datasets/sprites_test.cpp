#include "runner/data/datasets/sprites.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

namespace runner {

TEST(Sprites, DirectionsAreExactAtRightAngles) {
  EXPECT_EQ(direction_of(90).y, 1);
  EXPECT_EQ(direction_of(90).x, 0);
  EXPECT_EQ(direction_of(-90).y, -1);
  EXPECT_EQ(direction_of(180).x, -1);
  EXPECT_EQ(direction_of(720).x, 1);
  EXPECT_NEAR(direction_of(30).y, 0.5, 1e-15);
}

TEST(Sprites, TranslationRoundsUp) {
  EXPECT_EQ(translate({5, 5}, 0, 3), (Pixel{5, 8}));
  EXPECT_EQ(translate({5, 5}, -90, 3), (Pixel{2, 5}));
  EXPECT_EQ(translate({0, 0}, 45, 2), (Pixel{2, 2}));
  EXPECT_EQ(translate({0, 0}, 225, 2), (Pixel{-1, -1}));
}

TEST(Sprites, TheFilterKeepsEvenBrightness) {
  const std::vector<unsigned char> even(17 * 17, 200);
  EXPECT_EQ(lanczos(even, 17, 9), std::vector<unsigned char>(81, 200));
}

// Expected values from PIL 13.0.0: Image x, resize((4, 4), Image.LANCZOS), x[y][x] = (37 y + 11
// x^2) % 256.
TEST(Sprites, TheFilterIsThatOfPil) {
  std::vector<unsigned char> picture;
  for (int y = 0; y < 9; ++y)
    for (int x = 0; x < 9; ++x)
      picture.push_back(static_cast<unsigned char>((37 * y + 11 * x * x) % 256));
  const std::vector<unsigned char> wanted = {24,  124, 126, 119, 122, 170, 147, 110,
                                             191, 115, 136, 154, 47,  105, 129, 142};
  const std::vector<unsigned char> got = lanczos(picture, 9, 4);
  ASSERT_EQ(got.size(), wanted.size());
  // PIL's weights are rounded to 22 bits, which may round a sum the other way.
  for (std::size_t i = 0; i < got.size(); ++i) EXPECT_NEAR(got[i], wanted[i], 1) << i;
}

TEST(Sprites, AStrokePointsItsWay) {
  const Stroke right = draw_stroke(0, 5, 1.5, 2, 2);
  EXPECT_GT(right.image.at(0, 4), 0.9);
  EXPECT_LT(right.image.at(0, -3), 0.05);  // Lanczos rings
  EXPECT_EQ(right.image.at(4, 0), 0);
  const Stroke down = draw_stroke(90, 5, 1.5, 2, 2);
  EXPECT_GT(down.image.at(4, 0), 0.9);
  EXPECT_EQ(down.image.at(0, 4), 0);
}

TEST(Sprites, WhatAStrokeTakesIsWiderByTheMargin) {
  for (const int degrees : {0, 37, 90, 200}) {
    const Stroke stroke = draw_stroke(degrees, 5, 1.0, 2, 2);
    double line = 0, taken = 0;
    for (std::size_t i = 0; i < stroke.image.values.size(); ++i) {
      line += stroke.image.values[i];
      taken += stroke.mask.values[i];
      // Lanczos overshoots by less than a tenth.
      EXPECT_LE(stroke.image.values[i], stroke.mask.values[i] + 0.1) << degrees;
    }
    EXPECT_GT(taken, 3 * line) << degrees;
  }
}

TEST(Sprites, ADiscIsRound) {
  const Sprite disc = draw_disc(3, 2);
  double area = 0;
  for (const float value : disc.values) area += value;
  EXPECT_NEAR(area, 3.14159 * 3.25 * 3.25, 4);  // half a fine pixel is added on each side
  for (int y = -disc.reach; y <= disc.reach; ++y)
    for (int x = -disc.reach; x <= disc.reach; ++x) {
      // Rounded and cut to 0 .. 255 after the first direction.
      EXPECT_NEAR(disc.at(y, x), disc.at(x, y), 0.05);
      EXPECT_NEAR(disc.at(y, x), disc.at(-y, x), 0.05);
    }
}

}  // namespace runner
