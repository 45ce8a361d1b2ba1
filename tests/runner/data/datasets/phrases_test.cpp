#include "runner/data/datasets/phrases.h"

#include <gtest/gtest.h>

#include <map>
#include <stdexcept>

#include "runner/data/datasets/dataset.h"
#include "tests/message_of.h"

namespace runner {
namespace {

std::string refusal_of_phrases(const char* text) {
  return message_of<std::invalid_argument>([&] { translated_phrases(text); });
}

}  // namespace

TEST(Phrases, AreTranslatedBackwards) {
  EXPECT_EQ(translated_phrases("the red bird often saw two cows near a lake ."),
            "ilemek e seip xudilom uxv fisfsoc ijv pivgu xet .");
  EXPECT_EQ(translated_phrases("a king saw no door , because the wolf hid a boat ."),
            "itaedic veucom e gmux ijv foj , suufom up hpol e xet .");
}

TEST(Phrases, AreRefusedOutsideTheGrammar) {
  for (const char* wrong : {"", ".", "the bird .", "the bird saw a king", "the bird saw a kings .",
                            "two bird saw a king .", "the bird saw a king . .",
                            "the bird saw a king , the cow saw a lake ."})
    EXPECT_NE(refusal_of_phrases(wrong).find("expected"), std::string::npos) << wrong;
  EXPECT_EQ(refusal_of_phrases("the bird ate a king ."),
            "expected a word such as 'saw' as word 3, got 'ate'");
}

// Both directions are functions: every drawn sentence parses, and no two sentences have one
// translation.
TEST(Phrases, AreDrawnWithTheirTranslations) {
  std::map<std::string, std::string> back;
  for (std::uint64_t i = 0; i < 5000; ++i) {
    RandomStream random(1, Split::kTrain, i);
    const NewExample example = phrases_example(random);
    ASSERT_EQ(example.sequences.size(), 2u);
    EXPECT_EQ(translated_phrases(example.sequences[0]), example.sequences[1]);
    const auto [found, added] = back.try_emplace(example.sequences[1], example.sequences[0]);
    EXPECT_EQ(found->second, example.sequences[0]);
  }
  EXPECT_GT(back.size(), 4900u);
}

}  // namespace runner
