#include "runner/front/codes/code_candidates.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>

#include "lcsm/code/tables.h"

namespace runner {
namespace {

std::vector<std::string> words(const std::string& prefix) {
  setenv("LCSM_OSCILLATIONS", "", 1);
  std::vector<std::string> result;
  for (const Candidate& candidate : code_candidates(prefix)) result.push_back(candidate.word);
  return result;
}

bool code_candidates_has(const std::vector<std::string>& all, const std::string& word) {
  return std::find(all.begin(), all.end(), word) != all.end();
}

}  // namespace

TEST(CodeCandidates, CompletesOnePartAtATime) {
  EXPECT_TRUE(code_candidates_has(words(""), "1-") && code_candidates_has(words(""), "ssm"));
  EXPECT_TRUE(code_candidates_has(words("1-"), "1-9-") &&
              code_candidates_has(words("1-"), "1-11-"));
  EXPECT_EQ(words("1-9-"), (std::vector<std::string>{"1-9-0-", "1-9-1-"}));
  EXPECT_EQ(words("1-9-1-").size(), lcsm::activation_rows().size());
}

TEST(CodeCandidates, OffersComplexMemoriesWithEveryEAndS) {
  EXPECT_TRUE(code_candidates_has(words("0-"), "0-11-") &&
              code_candidates_has(words("1-"), "1-ces-"));
  EXPECT_EQ(words("1-ces-"), (std::vector<std::string>{"1-ces-0-", "1-ces-1-"}));
}

TEST(CodeCandidates, OffersTheFormsOfTheOscillation) {
  EXPECT_TRUE(code_candidates_has(words("0-ces-0-0@"), "0-ces-0-0@form=no_alpha"));
  EXPECT_TRUE(code_candidates_has(words("0-s4d-0-0@k=8,"), "0-s4d-0-0@k=8,form=inv"));
  EXPECT_FALSE(code_candidates_has(words("0-s4d-0-0@"), "0-s4d-0-0@form=small"));
}

TEST(CodeCandidates, OffersTheOptionsThatTheCodeAccepts) {
  EXPECT_EQ(words("1-10-1-0@"), (std::vector<std::string>{"1-10-1-0@k=", "1-10-1-0@d="}));
  EXPECT_TRUE(code_candidates_has(words("1-0-1-0@"), "1-0-1-0@o=fixed"));
  EXPECT_TRUE(code_candidates_has(words("ssm@"), "ssm@r="));
  EXPECT_FALSE(code_candidates_has(words("1-9-1-0@tau=8,"), "1-9-1-0@tau=8,tau="));
  EXPECT_TRUE(code_candidates_has(words("1-9-1-0@tau=8,"), "1-9-1-0@tau=8,gate=frozen"));
}

TEST(CodeCandidates, SurvivesInvalidPrefixes) {
  for (const char* prefix : {"x", "1-99-", "1-1-1-1-", "@", "1-9-1-0@o=fixed,", "----"})
    EXPECT_NO_THROW(words(prefix)) << prefix;
}

}  // namespace runner
