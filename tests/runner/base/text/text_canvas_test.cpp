#include "runner/base/text/text_canvas.h"

#include <gtest/gtest.h>

#include <set>

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

TEST(TextCanvas, NumbersTheMarksThatFallTogether) {
  JoinedMarks joined;
  const Terminal unicode{true, false, true, 80};
  TextCanvas canvas(4, 1, unicode, &joined);
  canvas.put(0, 0, "o", 0);
  canvas.put(0, 0, "x", 1);
  canvas.put(0, 0, "x", 1);
  canvas.put(1, 0, "o", 0);
  canvas.put(1, 0, "+", 2);
  canvas.put(0.5, 0, "o", 0);
  EXPECT_EQ(canvas.text(0), "① o②");
  EXPECT_EQ(canvas.text(0), "① o②") << "numbered once";
  ASSERT_EQ(joined.sets().size(), 2u);
  EXPECT_EQ(joined.sets()[0], (std::vector<CanvasMark>{{"o", 0}, {"x", 1}}));
  TextCanvas last(1, 1, unicode);
  last.put(0, 0, "o", 0);
  last.put(0, 0, "x", 1);
  EXPECT_EQ(last.text(0), "x");
}

TEST(TextCanvas, HasOneNumberForAllFurtherSets) {
  JoinedMarks joined;
  std::string numbers;
  for (std::size_t i = 0; i < 12; ++i) numbers += joined.mark_of({{"o", i}, {"x", i + 1}}, {}).sign;
  EXPECT_EQ(numbers, "123456789999");
  EXPECT_EQ(joined.sets().size(), JoinedMarks::kMost);
  EXPECT_TRUE(joined.sets().back().empty());
}

// Without color the sign alone tells three codes of three seeds apart.
TEST(TextCanvas, TwelveSeriesHaveTwelveSigns) {
  for (const bool unicode : {false, true}) {
    std::set<std::string> signs;
    for (std::size_t series = 0; series < 12; ++series)
      signs.insert(sign_of(series, {.unicode = unicode}));
    EXPECT_EQ(signs.size(), 12u);
  }
}

TEST(TextCanvas, WritesWhereThereIsRoom) {
  TextCanvas canvas(6, 1, {});
  EXPECT_TRUE(canvas.write(1, 0, "ab", 0));
  EXPECT_FALSE(canvas.write(2, 0, "c", 0)) << "taken";
  EXPECT_FALSE(canvas.write(4, 0, "abc", 0)) << "beyond the end";
  EXPECT_FALSE(canvas.write(-1, 0, "a", 0));
  EXPECT_TRUE(canvas.write(4, 0, "世", 0));
  EXPECT_FALSE(canvas.write(5, 0, "x", 0)) << "two columns wide";
  EXPECT_EQ(canvas.text(0), " ab 世");
}

}  // namespace runner
