#include "runner/data/datasets/paraphrase.h"

#include <gtest/gtest.h>

#include <stdexcept>

namespace runner {

TEST(Paraphrase, SaysTheSameInAnotherVoice) {
  EXPECT_TRUE(say_the_same("anna called leo", "leo was called by anna"));
  EXPECT_TRUE(say_the_same("ida was never warned by hugo", "hugo never warned ida"));
  EXPECT_FALSE(say_the_same("anna called leo", "leo called anna"));
  EXPECT_FALSE(say_the_same("anna called leo", "anna was called by leo"));
  EXPECT_FALSE(say_the_same("anna called leo", "anna never called leo"));
  EXPECT_FALSE(say_the_same("anna called leo", "anna helped leo"));
  for (const char* wrong :
       {"", "anna", "anna called", "anna called by leo", "anna called zoe", "anna called leo and"})
    EXPECT_THROW(say_the_same("anna called leo", wrong), std::invalid_argument) << wrong;
}

TEST(Paraphrase, HasTheLabelsOfItsTexts) {
  int same = 0;
  for (std::uint64_t i = 0; i < 2000; ++i) {
    RandomStream random(1, Split::kTrain, i);
    const NewExample example = paraphrase_example(random);
    ASSERT_EQ(example.sequences.size(), 2u);
    ASSERT_EQ(say_the_same(example.sequences[0], example.sequences[1]), example.label == 1)
        << example.sequences[0] << "; " << example.sequences[1];
    same += static_cast<int>(example.label);
  }
  EXPECT_NEAR(same, 1000, 5 * 22.4);  // five standard deviations
}

}  // namespace runner
