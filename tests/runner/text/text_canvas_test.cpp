#include "runner/text/text_canvas.h"

#include <gtest/gtest.h>

namespace runner {

TEST(TextCanvas, MeasuresFromTheLeftAndTheBottom) {
  TextCanvas canvas(4, 3, {});
  canvas.put(0, 0, "a", 0);
  canvas.put(1, 1, "b", 0);
  canvas.put(0.5, 0.5, "c", 0);
  canvas.put(2, -1, "d", 0);
  EXPECT_EQ(canvas.text(0), "   b");
  EXPECT_EQ(canvas.text(1), "  c");
  EXPECT_EQ(canvas.text(2), "a  d") << "points outside are clamped to the edge";
}

TEST(TextCanvas, DrawsLinesWithDots) {
  const Terminal unicode{true, false, true, 80};
  TextCanvas flat(3, 1, unicode);
  flat.line(0, 0, 1, 0, 0);
  EXPECT_EQ(flat.text(0), "\u28c0\u28c0\u28c0");
  TextCanvas slope(2, 2, unicode);
  slope.line(0, 0, 1, 1, 0);
  EXPECT_EQ(slope.text(0), " \u285c");
  EXPECT_EQ(slope.text(1), "\u285c\u2801");
  TextCanvas plain(3, 2, {});
  plain.line(0, 1, 1, 1, 0);
  EXPECT_EQ(plain.text(0), "...");
  EXPECT_EQ(plain.text(1), "");
}

TEST(TextCanvas, DrawsSignsOverLinesAndBesideOtherSigns) {
  TextCanvas canvas(3, 1, {});
  canvas.line(0, 0, 1, 0, 0);
  canvas.put(0, 0, "o", 0);
  canvas.put_right_of(0, 0, "e", 0);
  canvas.put_right_of(0, 0, "x", 0);
  canvas.put_if_free(1, 0, "-", 0);
  EXPECT_EQ(canvas.text(0), "oe.");
}

}  // namespace runner
