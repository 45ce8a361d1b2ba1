#include "runner/front/verbs/synonyms.h"

#include <gtest/gtest.h>

#include "lcsm/base/words.h"
#include "tests/runner/run_program.h"

namespace runner {

TEST(Synonyms, AreAnsweredByVerbsThatThereAre) {
  for (const auto& [words, verbs] : kSynonyms) {
    for (const std::string& verb : lcsm::words_of(verbs))
      EXPECT_EQ(run_lcsm({"help", verb}).status, 0) << verb;
    const std::string first = lcsm::words_of(words).front();
    EXPECT_TRUE(has(run_lcsm({first}).err, "unknown verb '" + first + "'; did you mean '" +
                                               lcsm::words_of(verbs).front() + "'"))
        << first;
  }
}

TEST(Synonyms, NoVerbForBatchScriptsIsOffered) {
  EXPECT_FALSE(has(run_lcsm({"help"}).out, "element"));
  EXPECT_FALSE(has(run_lcsm({"__complete", "bash", "lcsm ", ""}).out, "element"));
  EXPECT_EQ(run_lcsm({"help", "element"}).status, 0);
}

}  // namespace runner
