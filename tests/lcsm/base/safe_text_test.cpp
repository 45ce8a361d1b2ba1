#include "lcsm/base/safe_text.h"

#include <gtest/gtest.h>

namespace lcsm {

TEST(SafeText, SpellsOutWhatATerminalWouldObey) {
  EXPECT_EQ(safe_text("a\x1b[2Jb\r\n\x7f"), "a\\x1b[2Jb\\x0d\\n\\x7f");
  EXPECT_EQ(safe_text("\u202eabc \u03c3 \u0085"), "\\u202eabc \u03c3 \\x85");
  EXPECT_EQ(safe_text("\xff\xc3(\xe2\x82\xed\xa0\x80"), "\\xff\\xc3(\\xe2\\x82\\xed\\xa0\\x80");
}

TEST(SafeText, KnowsUtf8) {
  EXPECT_TRUE(is_utf8("a\n\u03c3\U0001f600"));
  for (const char* bad : {"a\xff", "\xc3", "\xed\xa0\x80", "\xc0\x80"})
    EXPECT_FALSE(is_utf8(bad)) << bad;
}

TEST(SafeText, KeepsLinesWhereThereAreSeveral) {
  EXPECT_EQ(safe_lines("a\n\x1b]0;b\x07\n"), "a\n\\x1b]0;b\\x07\n");
}

}  // namespace lcsm
