#include "runner/data/import/characters.h"

#include <gtest/gtest.h>

namespace runner {
namespace {

Taken taken_of(const std::vector<std::string>& train, const std::string& test) {
  Taken taken{{.vocabulary = 256, .classes = 2}, {}};
  for (const std::string& text : train) taken.examples[0].push_back({{text}, 0, {}});
  taken.examples[2].push_back({{test}, 1, {}});
  return taken;
}

}  // namespace

// torchtext's order: the specials, then by how often, then by character.
TEST(Characters, AreNumberedByTheTraining) {
  Taken taken = taken_of({"bbaa\xc3\xa9", "cc\xc3\xa9z"}, "az?");
  number_characters({.longest = 100, .rarest = 2}, &taken);
  EXPECT_EQ(taken.vocabulary,
            (std::vector<std::string>{"<pad>", "<unk>", "<eos>", "a", "b", "c", "\xc3\xa9"}));
  EXPECT_EQ(taken.shape.vocabulary, 7u);
  EXPECT_EQ(taken.shape.element, Element::kByte);
  EXPECT_EQ(taken.examples[0][0].sequences[0], "\x04\x04\x03\x03\x06\x02");
  EXPECT_EQ(taken.examples[2][0].sequences[0], "\x03\x01\x01\x02");
  EXPECT_EQ(taken.tokens, "characters");
}

TEST(Characters, ALongTextLosesItsEndBeforeItIsCounted) {
  Taken taken = taken_of({"\xc3\xa9"
                          "abzzzz"},
                         "z");
  number_characters({.longest = 4, .rarest = 1}, &taken);
  EXPECT_EQ(taken.vocabulary.size(), 6u);
  EXPECT_EQ(taken.examples[0][0].sequences[0].size(), 4u);
  EXPECT_EQ(taken.examples[2][0].sequences[0], "\x01\x02");
}

TEST(Characters, ManyOfThemTakeTwoBytesEach) {
  std::string text;
  for (int i = 0; i < 300; ++i) {
    text += static_cast<char>(0xe0 | (0x4e00 + i) >> 12);
    text += static_cast<char>(0x80 | ((0x4e00 + i) >> 6 & 0x3f));
    text += static_cast<char>(0x80 | ((0x4e00 + i) & 0x3f));
  }
  Taken taken = taken_of({text}, "");
  number_characters({.longest = 1000, .rarest = 1}, &taken);
  EXPECT_EQ(taken.shape.element, Element::kShort);
  EXPECT_EQ(taken.shape.vocabulary, 303u);
  EXPECT_EQ(taken.examples[0][0].sequences[0].size(), 2 * 301u);
  EXPECT_EQ(taken.examples[2][0].sequences[0], std::string("\x02\0", 2));
}

TEST(Characters, TheFirstByteThatIsNoUtf8) {
  EXPECT_EQ(first_not_utf8("a\xc3\xa9"), 3u);
  EXPECT_EQ(first_not_utf8("a\xc3"), 1u);
  EXPECT_EQ(first_not_utf8("ab\x80"
                           "c"),
            2u);
  EXPECT_EQ(first_not_utf8(""), 0u);
}

}  // namespace runner
