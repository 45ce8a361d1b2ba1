#include "runner/base/text/terminal.h"

#include <gtest/gtest.h>

#include <map>

namespace runner {
namespace {

Terminal on_tty(const std::map<std::string, std::string>& set, int columns = 80) {
  return describe_terminal(true, columns, [&set](const char* name) -> const char* {
    const auto found = set.find(name);
    return found == set.end() ? nullptr : found->second.c_str();
  });
}

}  // namespace

TEST(Terminal, APipeIsPlainAndUnlimited) {
  const auto everything = [](const char*) { return "xterm-256color.UTF-8"; };
  const Terminal pipe = describe_terminal(false, 0, everything);
  EXPECT_FALSE(pipe.tty || pipe.colour || pipe.unicode);
  EXPECT_EQ(pipe.width, 0);
}

TEST(Terminal, ColourNeedsATermAndNoNoColor) {
  EXPECT_TRUE(on_tty({{"TERM", "xterm"}}).colour);
  EXPECT_TRUE(on_tty({{"TERM", "xterm"}, {"NO_COLOR", ""}}).colour);
  EXPECT_FALSE(on_tty({{"TERM", "xterm"}, {"NO_COLOR", "1"}}).colour);
  EXPECT_FALSE(on_tty({{"TERM", "xterm"}, {"NO_COLOR", "1"}, {"CLICOLOR_FORCE", "1"}}).colour);
  EXPECT_FALSE(on_tty({{"TERM", "dumb"}}).colour);
  EXPECT_FALSE(on_tty({}).colour);
}

TEST(Terminal, TheFirstLocaleVariableSetDecidesUnicode) {
  EXPECT_TRUE(on_tty({{"LANG", "C.UTF-8"}}).unicode);
  EXPECT_TRUE(on_tty({{"LANG", "de_DE.utf8"}}).unicode);
  EXPECT_FALSE(on_tty({{"LANG", "C.UTF-8"}, {"LC_ALL", "C"}}).unicode);
  EXPECT_TRUE(on_tty({{"LANG", "C"}, {"LC_CTYPE", "C.utf8"}, {"LC_ALL", ""}}).unicode);
  EXPECT_FALSE(on_tty({}).unicode);
}

TEST(Terminal, WidthComesFromTheTtyThenColumnsThenEighty) {
  EXPECT_EQ(on_tty({{"COLUMNS", "120"}}, 132).width, 132);
  EXPECT_EQ(on_tty({{"COLUMNS", "120"}}, 0).width, 120);
  EXPECT_EQ(on_tty({{"COLUMNS", "wide"}}, 0).width, 80);
  EXPECT_EQ(on_tty({{"COLUMNS", "-3"}}, 0).width, 80);
}

TEST(Terminal, StylesOnlyWhereThereIsColour) {
  EXPECT_EQ(styled({.colour = true}, Style::kBad, "no"), "\033[31mno\033[0m");
  EXPECT_EQ(styled({.colour = true}, Style::kBad, ""), "");
  EXPECT_EQ(styled({}, Style::kBad, "no"), "no");
}

}  // namespace runner
