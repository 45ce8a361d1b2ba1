#include "runner/data/tokens/gpt2_split.h"

#include <gtest/gtest.h>

#include "tests/lcsm/formula/fuzz.h"

namespace runner {
namespace {

// The words, separated by "|".
std::string split(std::string_view text) {
  std::string words;
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t bytes = gpt2_word(text, at);
    words += (at == 0 ? "" : "|") + std::string(text.substr(at, bytes));
    at += bytes;
  }
  return words;
}

}  // namespace

// Expected: the results of Python's regex.
TEST(Gpt2Split, FollowsThePattern) {
  EXPECT_EQ(split("Hello world"), "Hello| world");
  EXPECT_EQ(split("I'm you're he'll I'd've o'"), "I|'m| you|'re| he|'ll| I|'d|'ve| o|'");
  EXPECT_EQ(split("I'M 'tis 'quoted'"), "I|'|M| '|tis| '|quoted|'");
  EXPECT_EQ(split("it's'"), "it|'s|'");
  EXPECT_EQ(split("a1b 22.5"), "a|1|b| 22|.|5");
  EXPECT_EQ(split("  a"), " | a");
  EXPECT_EQ(split("a  "), "a|  ");
  EXPECT_EQ(split("a \n b"), "a| \n| b");
  EXPECT_EQ(split("a\nb"), "a|\n|b");
  EXPECT_EQ(split("a\n\nb"), "a|\n|\n|b");
  EXPECT_EQ(split("a\t\tb"), "a|\t|\t|b");
  EXPECT_EQ(split(" "), " ");
  EXPECT_EQ(split(" !? ..."), " !?| ...");
  EXPECT_EQ(split("_a_"), "_|a|_");
}

TEST(Gpt2Split, HandlesNonAsciiLettersNumbersAndSpaces) {
  EXPECT_EQ(split("na\u00efve \u65e5\u672c"), "na\u00efve| \u65e5\u672c");
  EXPECT_EQ(split("x\u00b2\u00bd"), "x|\u00b2\u00bd");
  EXPECT_EQ(split("e\u0301t"), "e|\u0301|t") << "a combining mark is not a letter";
  EXPECT_EQ(split("a\u00a0b"), "a|\u00a0|b") << "only U+0020 joins a word";
  EXPECT_EQ(split("a\u3000\u3000b"), "a|\u3000|\u3000|b");
  EXPECT_EQ(split("a\xff\xfe b"), "a|\xff\xfe| b");
}

TEST(Gpt2Split, CoversTheWholeText) {
  lcsm::test::Fuzzer fuzzer("splits", 0.3);
  const std::vector<std::string> words = {" ", "  ",   "\n",       "'",      "'s",     "'ll",
                                          "a", "B",    "1",        "\u00b2", "\u00e9", "\u3000",
                                          "!", "\xff", "\xe6\x97", "\r\n"};
  fuzzer.run([&] {
    const std::string text = fuzzer.chance(0.3) ? fuzzer.noise(40) : fuzzer.words(words, 20);
    std::size_t at = 0;
    while (at < text.size()) {
      const std::size_t bytes = gpt2_word(text, at);
      ASSERT_TRUE(bytes > 0 && at + bytes <= text.size()) << text;
      at += bytes;
    }
  });
}

}  // namespace runner
