// A sweep's tables and claims, evaluated over runs.
#include "runner/front/views/view_results.h"

#include <gtest/gtest.h>

#include "results/store/fold.h"
#include "results/store/store.h"
#include "tests/results/fixture.h"

namespace runner {
namespace {

class ViewResults : public testing::Test {
 protected:
  void SetUp() override {
    results::marked_runs(scratch.path());
    results::fold(scratch.path());
    database = results::open_for_reading(scratch.path());
    views.source = 1;
    views.tables = {{{.rows = {"model.code"}, .values = {"valid.ppl"}}},
                    {{.rows = {"model.code"}, .values = {"test.ppl"}}}};
  }
  void claim(const std::string& text, int source) {
    views.claims.push_back({{.text = text}, {source, 1, 1}});
  }

  results::Scratch scratch;
  std::unique_ptr<results::Database> database;
  SweepViews views;
};

}  // namespace

TEST_F(ViewResults, TheLastTableHasTheClaims) {
  claim("1-1-1-0 < 1-0-1-0 in valid.ppl", 1);
  const std::vector<results::Table> tables = table_results(*database, views);
  ASSERT_EQ(tables.size(), 2u);
  EXPECT_TRUE(tables[0].claims.empty());
  ASSERT_EQ(tables[1].claims.size(), 1u);
  EXPECT_EQ(tables[1].claims[0].verdict, results::Verdict::kSupported);
  views.tables.pop_back();
  EXPECT_EQ(table_result(*database, views, 0).claims.size(), 1u);
}

TEST_F(ViewResults, TheClaimsOfAFileAreCorrectedTogether) {
  claim("1-1-1-0 < 1-0-1-0 in valid.ppl", 1);
  const double alone = claim_results(*database, views)[0].p;
  claim("1-1-1-0 > 1-0-1-0 in valid.ppl", 1);
  const std::vector<results::Claim> claims = claim_results(*database, views);
  ASSERT_EQ(claims.size(), 2u);
  EXPECT_EQ(claims[0].p, 2 * alone);
}

TEST_F(ViewResults, OnlyAClaimOfTheSweepsFileSaysWhyItCannotBeJudged) {
  claim("1-1-1-0 < 1-0-1-0 in valid.nothing", 0);
  claim("1-1-1-0 < 1-0-1-0 in valid.nothing", 1);
  const std::vector<results::Claim> claims = claim_results(*database, views);
  ASSERT_EQ(claims.size(), 1u);
  EXPECT_NE(claims[0].why.find("valid.nothing"), std::string::npos) << claims[0].why;
}

TEST_F(ViewResults, ATableOfAnUnknownValueIsRejected) {
  views.tables[0].values = {"valid.nothing"};
  EXPECT_THROW(table_results(*database, views), std::invalid_argument);
}

}  // namespace runner
