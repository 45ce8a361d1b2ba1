#include "runner/base/text/display_width.h"

#include <gtest/gtest.h>

namespace runner {

TEST(DisplayWidth, CountsColumnsNotBytes) {
  EXPECT_EQ(display_width(""), 0);
  EXPECT_EQ(display_width("1-9-1-0"), 7);
  EXPECT_EQ(display_width("σ(pₖ)^(1/τ)"), 11);
  EXPECT_EQ(display_width("m₁₀ᵀ ⊙ ∑"), 8);
  EXPECT_EQ(display_width("e\u0301"), 1) << "a combining accent";
  EXPECT_EQ(display_width("p\u0302\u0304"), 1) << "two marks on one character";
  EXPECT_EQ(display_width("模型"), 4);
  EXPECT_EQ(display_width("🙂"), 2);
  EXPECT_EQ(display_width("\033[31mbad\033[0m"), 3);
}

TEST(DisplayWidth, InvalidBytesTakeOneColumnEach) {
  EXPECT_EQ(display_width("\xff\xfe"), 2);
  EXPECT_EQ(display_width("a\xc3"), 2) << "truncated in the middle of a character";
  EXPECT_EQ(display_width("\xe2(\xa1"), 3);
  EXPECT_EQ(display_width("\033["), 1) << "half a colour sequence";
}

TEST(DisplayWidth, CutsBetweenCharactersAndAddsAnEllipsis) {
  EXPECT_EQ(cut_to_width("1-9-1-0", 7, "…"), "1-9-1-0");
  EXPECT_EQ(cut_to_width("1-9-1-0", 5, "…"), "1-9-…");
  EXPECT_EQ(cut_to_width("1-9-1-0", 5, "..."), "1-...");
  EXPECT_EQ(cut_to_width("σσσσ", 2, "…"), "σ…");
  EXPECT_EQ(cut_to_width("模型模型", 4, "…"), "模…");
  EXPECT_EQ(cut_to_width("abc", 2, "..."), "ab") << "no room for the ellipsis";
  EXPECT_EQ(cut_to_width("\033[31mwrong\033[0m", 3, "…"), "\033[31mwr…\033[0m");
}

}  // namespace runner
