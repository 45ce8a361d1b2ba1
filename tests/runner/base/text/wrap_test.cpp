#include "runner/base/text/wrap.h"

#include <gtest/gtest.h>

namespace runner {
namespace {

std::string wrapped(const std::string& text, int indent, int width,
                    LongWords long_words = LongWords::kWhole) {
  std::string page(static_cast<std::size_t>(indent), '.');
  wrap_onto(page, text, indent, width, long_words);
  return page;
}

}  // namespace

TEST(Wrap, BreaksAtSpacesAndIndentsFurtherLines) {
  EXPECT_EQ(wrapped("one two three", 2, 10), "..one two\n  three\n");
  EXPECT_EQ(wrapped("one two", 0, 7), "one two\n");
  EXPECT_EQ(wrapped("one two", 0, 6), "one\ntwo\n");
  EXPECT_EQ(wrapped("", 3, 6), "...\n");
}

TEST(Wrap, KeepsAWordThatIsTooWide) {
  EXPECT_EQ(wrapped("a verylongword b", 0, 5), "a\nverylongword\nb\n");
}

TEST(Wrap, CutsAWordThatIsTooWide) {
  EXPECT_EQ(wrapped("a verylongword b", 1, 6, LongWords::kCut), ".a\n veryl\n ongwo\n rd b\n");
  EXPECT_EQ(wrapped("\u6a21\u578b", 0, 3, LongWords::kCut), "\u6a21\n\u578b\n");
  EXPECT_EQ(wrapped("\u6a21\u578b", 0, 1, LongWords::kCut), "\u6a21\u578b\n") << "fits nowhere";
}

TEST(Wrap, CountsColumnsNotBytes) {
  EXPECT_EQ(wrapped("\u00e9\u00e9 \u00e9\u00e9", 0, 5), "\u00e9\u00e9 \u00e9\u00e9\n");
}

}  // namespace runner
