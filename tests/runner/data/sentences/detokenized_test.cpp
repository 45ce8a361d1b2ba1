#include "runner/data/sentences/detokenized.h"

#include <gtest/gtest.h>

namespace runner {

TEST(Detokenized, JoinsPunctuation) {
  EXPECT_EQ(detokenized("Hello , world ! ( Again . )", "en"), "Hello, world! (Again.)");
  EXPECT_EQ(detokenized("It costs $ 5 , or 20 % .", "en"), "It costs $5, or 20%.");
  EXPECT_EQ(detokenized("", "en"), "");
  EXPECT_EQ(detokenized(" a  b ", "en"), "a b");
}

TEST(Detokenized, PairsQuotes) {
  EXPECT_EQ(detokenized("He said \" no \" and \" yes . \"", "en"), "He said \"no\" and \"yes.\"");
  EXPECT_EQ(detokenized("Er sagte : „ Nein “ .", "de"), "Er sagte: „Nein“.");
}

TEST(Detokenized, KnowsEnglishApostrophes) {
  EXPECT_EQ(detokenized("I don 't know Tom 's dog", "en"), "I don't know Tom's dog");
  EXPECT_EQ(detokenized("the Jones ' house", "en"), "the Jones' house");
  EXPECT_EQ(detokenized("Tom 's", "de"), "Tom 's");
}

TEST(Detokenized, PutsHyphensBack) {
  EXPECT_EQ(detokenized("a well @-@ known one", "en"), "a well-known one");
}

}  // namespace runner
