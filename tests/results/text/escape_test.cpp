#include "results/text/escape.h"

#include <gtest/gtest.h>

#include <random>

namespace results {

TEST(Escape, ASpreadsheetSeesNoFormula) {
  EXPECT_EQ(csv_field("=1+1"), "'=1+1");
  EXPECT_EQ(csv_field("@SUM(A1,2)"), "\"'@SUM(A1,2)\"");
  EXPECT_EQ(csv_field("-0.5"), "-0.5");
  EXPECT_EQ(csv_field("a \"b\""), "\"a \"\"b\"\"\"");
}

TEST(Escape, MarkupIsText) {
  EXPECT_EQ(markdown_text("a|b *c* <script>"), "a\\|b \\*c\\* &lt;script&gt;");
  EXPECT_EQ(tex_text("50% \\input{x} a_b^2 $&#~"),
            "50\\% \\textbackslash{}input\\{x\\} a\\_b\\textasciicircum{}2 "
            "\\$\\&\\#\\textasciitilde{}");
  EXPECT_EQ(html_text("<a href=\"x\">'&"), "&lt;a href=&quot;x&quot;&gt;&#39;&amp;");
}

TEST(Escape, AnyBytesBecomeOneLineOfUtf8) {
  std::mt19937 random(3);
  for (int round = 0; round < 2000; ++round) {
    std::string text(random() % 40, ' ');
    for (char& c : text) c = static_cast<char>(random());
    const std::string plain = safe_text(text);
    EXPECT_EQ(safe_text(plain), plain);
    for (const char c : plain) ASSERT_TRUE(static_cast<unsigned char>(c) >= 0x20 && c != 0x7f);
  }
}

}  // namespace results
