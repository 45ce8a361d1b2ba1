#include "tests/house/readme_commands.h"

#include <gtest/gtest.h>

namespace house {

TEST(ReadmeCommands, AreFoundInShAndConsoleBlocks) {
  const auto found = commands_of(
      "text\n```sh\n# a remark\n./bootstrap codes '1-*'\n$ lcsm a \\\n  b\n```\n"
      "```toml\nlr = 1\n```\n`lcsm not`\n"
      "```console\n$ lcsm --version\nlcsm 0.1.0\n\n$ lcsm c\n```\n");
  ASSERT_EQ(found.size(), 4u);
  EXPECT_EQ(found[0].command, "./bootstrap codes '1-*'");
  EXPECT_EQ(found[0].line, 4);
  EXPECT_FALSE(found[0].shows_output);
  EXPECT_EQ(found[1].command, "lcsm a   b");
  EXPECT_EQ(found[2].command, "lcsm --version");
  EXPECT_TRUE(found[2].shows_output);
  EXPECT_EQ(found[2].output, "lcsm 0.1.0\n\n");
  EXPECT_EQ(found[3].output, "");
}

TEST(ReadmeCommands, OutputIsComparedLineByLine) {
  EXPECT_TRUE(same_output("a\nb\n", "a\nb\n"));
  EXPECT_FALSE(same_output("a\nb\n", "a\nc\n"));
  EXPECT_FALSE(same_output("a\n", "a\nb\n"));
  EXPECT_FALSE(same_output("a\nb\n", "a\n"));
  EXPECT_TRUE(same_output("a\n...\n", "a\n"));
  EXPECT_TRUE(same_output("a\n...\nd\n...\n", "a\nb\nc\nd\ne\n"));
  EXPECT_FALSE(same_output("...\nd\n", "d\ne\n"));
}

TEST(ReadmeCommands, FewAreExempt) {
  EXPECT_NE(exempt_because("./bootstrap"), "");
  EXPECT_NE(exempt_because("./bootstrap test    # all tests"), "");
  EXPECT_NE(exempt_because("git clone URL"), "");
  EXPECT_EQ(exempt_because("./bootstrap codes '1-*-1-0'"), "");
  EXPECT_EQ(exempt_because("./bootstrap tests"), "");
  EXPECT_EQ(exempt_because("lcsm codes"), "");
}

}  // namespace house
