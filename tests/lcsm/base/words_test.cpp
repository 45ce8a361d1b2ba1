#include "lcsm/base/words.h"

#include <gtest/gtest.h>

namespace lcsm {

TEST(Words, AreJoined) {
  EXPECT_EQ(joined({}), "");
  EXPECT_EQ(joined({"a"}), "a");
  EXPECT_EQ(joined({"a", "b", "c"}), "a, b, c");
  EXPECT_EQ(joined({"a", "b"}, ","), "a,b");
}

TEST(Words, OfItemsAreJoined) {
  struct Row {
    std::string_view name;
  };
  const std::vector<Row> rows = {{"a"}, {""}, {"b"}};
  EXPECT_EQ(joined_of(rows, &Row::name), "a, b");
  EXPECT_EQ(joined_of(
                rows, [](const Row& row) { return std::string(row.name) + "!"; }, " "),
            "a! ! b!");
  EXPECT_EQ(joined_of(std::vector<Row>(), &Row::name), "");
}

TEST(Words, AreTakenUpToASeparator) {
  std::string_view text = "12:;x";
  EXPECT_EQ(take_until(&text, ':'), "12");
  EXPECT_EQ(take_until(&text, ';'), "");
  EXPECT_EQ(take_until(&text, ';'), "x");
  EXPECT_EQ(text, "");
  EXPECT_EQ(take_until(&text, ';'), "");
}

TEST(Words, AreTrimmed) {
  EXPECT_EQ(trimmed("  a b "), "a b");
  EXPECT_EQ(trimmed("\t'a' ", " \t'"), "a");
  EXPECT_EQ(trimmed("  "), "");
}

TEST(Words, LowerCaseKeepsOtherBytes) { EXPECT_EQ(lower_case("Ab-9\xc3\x84"), "ab-9\xc3\x84"); }

TEST(Words, AreSplitAtBlanks) {
  EXPECT_EQ(words_of(" a  bc "), (std::vector<std::string>{"a", "bc"}));
  EXPECT_TRUE(words_of(" ").empty());
}

}  // namespace lcsm
