#include "runner/data/own/own_vocabulary.h"

#include <gtest/gtest.h>

namespace runner {

TEST(OwnVocabulary, BytesAreThemselves) {
  const OwnVocabulary bytes("bytes", {"a"}, 1);
  EXPECT_EQ(bytes.size(), 256u);
  EXPECT_EQ(bytes.encoded("\xc3\xa9"), "\xc3\xa9");
  EXPECT_TRUE(bytes.names().empty());
}

TEST(OwnVocabulary, NumbersCharactersByHowOftenTheyAreThere) {
  const OwnVocabulary characters("characters", {"b\xc3\xa9\xc3\xa9", "ab\xc3\xa9"}, 1);
  EXPECT_EQ(characters.names(), (std::vector<std::string>{"<unk>", "\xc3\xa9", "b", "a"}));
  EXPECT_EQ(characters.encoded("ab\xc3\xa9z"), std::string("\x03\x02\x01\x00", 4));
}

TEST(OwnVocabulary, RareWordsAreUnknown) {
  const OwnVocabulary words("words", {"to be  or", " not to\nbe"}, 2);
  EXPECT_EQ(words.names(), (std::vector<std::string>{"<unk>", "be", "to"}));
  EXPECT_EQ(words.encoded(" to or\tbe "), std::string("\x02\x00\x01", 3));
  EXPECT_EQ(words.encoded("  "), "");
}

TEST(OwnVocabulary, MoreThan256WordsHaveTwoBytes) {
  std::string text;
  for (int i = 0; i < 300; ++i) text += " w" + std::to_string(1000 + i);
  const OwnVocabulary words("words", {text}, 1);
  EXPECT_EQ(words.element(), Element::kShort);
  EXPECT_EQ(words.encoded("w1299"), std::string("\x2c\x01", 2));
}

}  // namespace runner
