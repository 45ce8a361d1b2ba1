#include "runner/base/cli/shell_words.h"

#include <gtest/gtest.h>

namespace runner {
namespace {

using Words = std::vector<std::string>;

}  // namespace

TEST(ShellWords, AreCutAtBlanksAndUnquoted) {
  EXPECT_EQ(split_shell_line("lcsm codes 1-9").words, (Words{"lcsm", "codes", "1-9"}));
  EXPECT_EQ(split_shell_line("lcsm  codes ").words, (Words{"lcsm", "codes", ""}));
  EXPECT_EQ(split_shell_line("").words, (Words{""}));
  EXPECT_EQ(split_shell_line("a '' b").words, (Words{"a", "", "b"}));
  EXPECT_EQ(split_shell_line(R"(a 1-\* "x y"z)").words, (Words{"a", "1-*", "x yz"}));
  EXPECT_EQ(split_shell_line(R"('a\b' c\)").words, (Words{"a\\b", "c\\"}));
}

TEST(ShellWords, AnOpenQuoteIsReported) {
  EXPECT_EQ(split_shell_line("a '1-*").open_quote, '\'');
  EXPECT_EQ(split_shell_line("a \"1-").open_quote, '"');
  EXPECT_EQ(split_shell_line("a '1-*'").open_quote, '\0');
  EXPECT_EQ(split_shell_line("a '1 2").words, (Words{"a", "1 2"}));
}

TEST(ShellWords, QuotedWordsReadBackUnchanged) {
  for (const std::string word : {"1-*-1-0", "1-9-1-4@tau=8", "a b", "$x;`y`", "it's", "~/(a)[b]"})
    EXPECT_EQ(split_shell_line(backslash_quoted(word)).words, (Words{word}));
  EXPECT_EQ(backslash_quoted("1-9-1-4@tau=8"), "1-9-1-4@tau=8");
}

}  // namespace runner
