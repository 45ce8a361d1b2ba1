#include "lcsm/base/nearest.h"

#include <gtest/gtest.h>

#include <vector>

namespace lcsm {

TEST(Nearest, CountsInsertDeleteReplaceAndSwap) {
  EXPECT_EQ(edit_distance("", "abc"), 3);
  EXPECT_EQ(edit_distance("codes", "codes"), 0);
  EXPECT_EQ(edit_distance("cdoes", "codes"), 1);
  EXPECT_EQ(edit_distance("sigmod", "sigmoid"), 1);
  EXPECT_EQ(edit_distance("kitten", "sitting"), 3);
}

TEST(Nearest, SuggestsOnlyWhatIsClose) {
  const std::vector<std::string> verbs = {"codes", "doctor", "completions"};
  EXPECT_EQ(nearest("code", verbs), "codes");
  EXPECT_EQ(nearest("docter", verbs), "doctor");
  EXPECT_EQ(nearest("xyz", verbs), "");
  EXPECT_EQ(nearest("a", std::vector<std::string>{"d"}), "");
  EXPECT_EQ(did_you_mean("codse", verbs), "; did you mean 'codes'?");
  EXPECT_EQ(did_you_mean("xyz", verbs, "; see --help"), "; see --help");
}

TEST(Nearest, PrefersWhatHasAllThatWasTyped) {
  const std::vector<std::string> symbols = {"p", "p_k", "w_d", "w_kd"};
  EXPECT_EQ(nearest("pk", symbols), "p_k");
  EXPECT_EQ(nearest("wkd", symbols), "w_kd");
}

}  // namespace lcsm
