#include "runner/front/codes/code_facts.h"

#include <gtest/gtest.h>

#include <cmath>

namespace runner {
namespace {

const lcsm::Catalogue& catalogue() {
  static const lcsm::Catalogue all;
  return all;
}

CodeFacts facts(const std::string& code, const ModelOptions& options = {}) {
  return facts_of(lcsm::parse_code(code, catalogue()), catalogue(), options);
}

}  // namespace

TEST(CodeFacts, UsesTheDepthImpliedByThePublishedTotal) {
  EXPECT_EQ(facts("1-9-1-0").model.layers, 10);
  EXPECT_EQ(facts("1-1-1-0").model.layers, 9);
  EXPECT_EQ(facts("1-4-1-0").model.layers, 11);
  EXPECT_EQ(facts("1-1-1-4").model.layers, 10) << "the activation rows are one layer deeper";
  EXPECT_EQ(facts("1-9-1-0", {.sizes = {}, .layers = 3}).model.layers, 3);
}

TEST(CodeFacts, FindsTheDepthOfEveryPublishedCode) {
  for (const results::PublishedValue& value : results::published_values()) {
    if (value.paper != "lcsm") continue;
    const CodeFacts code = facts(value.row.substr(0, value.row.find(' ')));  // "1-1-1-0 (9 layers)"
    for (const PublishedPerplexity& row : code.published)
      EXPECT_GT(row.layers, 0) << value.row << " at " << row.params_m << " M";
  }
}

TEST(CodeFacts, KeepsBothPublishedDepthsOfOneCode) {
  const CodeFacts f = facts("1-1-1-0");
  bool shallow = false, deep = false;
  for (const PublishedPerplexity& row : f.published) {
    shallow |= row.layers == 9 && row.valid == 24.26 && row.test == 24.75;
    deep |= row.layers == 10 && row.valid == 23.78 && row.test == 24.97;
  }
  EXPECT_TRUE(shallow && deep);
}

TEST(CodeFacts, DistinguishesTheFixedGateFromTheLearnedOne) {
  EXPECT_EQ(facts("0-0-0-0").published.at(0).valid, 29.62);
  EXPECT_EQ(facts("0-0-0-0@o=fixed").published.at(0).valid, 28.26);
}

TEST(CodeFacts, CountsTheSameTotalForLearnedAndFixedSlopes) {
  const CodeFacts learned = facts("1-0-1-0"), fixed = facts("1-0-1-0@o=fixed");
  EXPECT_EQ(learned.parameters.total(), fixed.parameters.total());
  EXPECT_EQ(fixed.parameters.fixed, 10 * 512 * 128);
}

}  // namespace runner
