#include "runner/models/families/bands.h"

#include <gtest/gtest.h>

#include "runner/config/toml/config_mistakes.h"
#include "runner/config/toml/config_value.h"
#include "tests/runner/models/skeletons/model_config.h"

namespace runner {
namespace {

RunConfig adaptive(std::vector<std::string> more) {
  more.insert(more.begin(), {"model.code=1-3-1-2", "model.softmax=adaptive",
                             "task.tokens=ranked-words", "model.d=1024"});
  return model_config(more);
}

// Success if these settings are refused with this message.
testing::AssertionResult refused(const std::vector<std::string>& settings, const std::string& why) {
  try {
    adaptive(settings);
  } catch (const std::invalid_argument& error) {
    if (std::string(error.what()).find(": " + why + "\n") != std::string::npos)
      return testing::AssertionSuccess();
    return testing::AssertionFailure() << error.what();
  }
  return testing::AssertionFailure() << "no error";
}

TEST(Bands, AreThoseOfBaevskiAndAuli) {
  const std::vector<Band> bands = bands_of(adaptive({}), 267735);
  ASSERT_EQ(bands.size(), 3u);
  EXPECT_EQ(bands[0].end(), 20000);
  EXPECT_EQ(bands[0].width, 1024);
  EXPECT_EQ(bands[1].first, 20000);
  EXPECT_EQ(bands[1].tokens, 40000);
  EXPECT_EQ(bands[1].width, 256);
  EXPECT_EQ(bands[2].tokens, 207735);
  EXPECT_EQ(bands[2].width, 64);
  double shares = 0;
  for (const Band& band : bands) shares += share_of(band, 267735);
  EXPECT_NEAR(shares, 1, 1e-12);
}

TEST(Bands, EndWhereTheVocabularyDoes) {
  EXPECT_EQ(bands_of(adaptive({}), 30000).size(), 2u);
  EXPECT_EQ(bands_of(adaptive({}), 20000).size(), 1u);
  EXPECT_TRUE(bands_of(model_config({"model.code=1-3-1-2"}), 267735).empty());
  EXPECT_TRUE(bands_of(model_config({"task.name=mqar", "model.code=1-3-1-2"}), 267735).empty());
}

TEST(Bands, CutoffsAscend) {
  EXPECT_EQ(cutoffs_of("7"), std::vector<std::int64_t>{7});
  EXPECT_EQ(cutoffs_of("20000,60000"), (std::vector<std::int64_t>{20000, 60000}));
  for (const char* wrong : {"", "0", "-3", "5,5", "6,5", "5,", ",5", "5 6", "5, 6", "5;6", "1e3",
                            "99999999999999999999"})
    EXPECT_THROW(cutoffs_of(wrong), std::invalid_argument) << wrong;
}

TEST(Bands, RefuseWhatTheyCannotBe) {
  EXPECT_TRUE(refused({"model.cutoffs=9,3"},
                      "model.cutoffs: expected ascending integers such as 20000,60000, got '9,3'"));
  EXPECT_TRUE(refused({"task.tokens=words"},
                      "model.softmax: adaptive needs tokens numbered by frequency, task.tokens = "
                      "ranked-words or gpt2, got words"));
  EXPECT_TRUE(refused({"model.narrowing=64"},
                      "model.narrowing: no channel of model.d = 1024 is left to the last band "
                      "after 2 cutoffs, got 64"));
}

}  // namespace
}  // namespace runner
