// Claims: how they are parsed, and how runs decide them.
#include "results/tables/claim.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <stdexcept>

#include "results/store/fold.h"
#include "results/store/store.h"
#include "results/tables/difference.h"
#include "tests/message_of.h"
#include "tests/results/fixture.h"

namespace results {
namespace {

class Claims : public testing::Test {
 protected:
  // A code's valid.ppl for seeds 1, 2, 3 ...
  void have(const std::string& code, const std::vector<double>& values, const Values& more = {},
            double lr = 1e-3, double params = 0) {
    for (std::size_t seed = 1; seed <= values.size(); ++seed)
      write_run(scratch.path(), {.number = ++runs,
                                 .code = code,
                                 .lr = lr,
                                 .seed = static_cast<std::int64_t>(seed),
                                 .valid = {values[seed - 1]},
                                 .more = more,
                                 .params = params});
  }
  Claim answered(const std::string& text, const ClaimSpec& more = {}) {
    ClaimSpec spec = more;
    spec.text = text;
    fold(scratch.path());
    return answer_claim(*open_for_reading(scratch.path()), kTestRoles, spec);
  }
  std::string refusal(const std::string& text) {
    return message_of<std::invalid_argument>([&] { answered(text); });
  }
  Scratch scratch;
  int runs = 0;
};

const std::vector<double> kGood = {24.1, 24.5, 23.9, 24.8}, kBad = {26.6, 26.9, 26.1, 26.9},
                          kNear = {24.2, 24.3, 24.1, 24.7};

}  // namespace

TEST_F(Claims, AreSupportedContradictedOrUndecided) {
  have("1-9-1-0", kGood);
  have("1-1-1-0", kBad);
  have("1-2-1-0", kNear);
  EXPECT_EQ(answered("1-9-1-0 < 1-1-1-0 in valid.ppl").verdict, Verdict::kSupported);
  EXPECT_EQ(answered("1-9-1-0 > 1-1-1-0 in valid.ppl").verdict, Verdict::kContradicted);
  EXPECT_EQ(answered("1-9-1-0 < 1-2-1-0 in valid.ppl").verdict, Verdict::kUndecided);
}

TEST_F(Claims, HaveEffectIntervalTestAndN) {
  have("1-9-1-0", kGood);
  have("1-1-1-0", kBad);
  const Claim claim = answered("1-9-1-0 < 1-1-1-0");
  const Statistics wanted = statistics_of({-2.5, -2.4, -2.2, -2.1});
  EXPECT_EQ(claim.metric, "valid.ppl");
  EXPECT_EQ(claim.against, "1-1-1-0");
  EXPECT_NEAR(claim.effect, wanted.mean, 1e-12);  // rounding of the differences
  EXPECT_NEAR(claim.low, wanted.low, 1e-12);
  EXPECT_NEAR(claim.p, difference_of({{kGood, kBad, {}}}).p, 1e-15);
  EXPECT_EQ(claim.n, 4);
  EXPECT_EQ(claim_sentence(claim),
            "supported: 1-9-1-0 < 1-1-1-0 (valid.ppl minus that of 1-1-1-0: -2.3, 95 % interval "
            "-2.591 to -2.009; paired t-test over common seeds, p = 0.00014, n = 4)");
}

TEST_F(Claims, ThatOneIsBestAreCorrectedForAllRivals) {
  have("1-9-1-0", kGood);
  have("1-1-1-0", kBad);
  EXPECT_EQ(answered("1-9-1-0 is best of model.code").verdict, Verdict::kSupported);
  EXPECT_EQ(answered("1-1-1-0 is worst of model.code").verdict, Verdict::kSupported);
  EXPECT_EQ(answered("1-1-1-0 is best of model.code").verdict, Verdict::kContradicted);
  have("1-2-1-0", kNear);
  const Claim claim = answered("1-9-1-0 is best of model.code in valid.ppl");
  EXPECT_EQ(claim.verdict, Verdict::kUndecided);
  EXPECT_EQ(claim.against, "1-2-1-0");  // the strongest rival
  EXPECT_EQ(claim.test, "paired t-test over common seeds, Holm's correction over 3 tests");
}

TEST_F(Claims, StayUndecidedWithTooFewSeeds) {
  have("1-9-1-0", {20});
  have("1-1-1-0", {30});
  const Claim claim = answered("1-9-1-0 < 1-1-1-0");
  EXPECT_EQ(claim.verdict, Verdict::kUndecided);
  EXPECT_EQ(
      claim_sentence(claim),
      "undecided: 1-9-1-0 < 1-1-1-0 (1-9-1-0 and 1-1-1-0 have fewer than three common seeds)");
}

// Equal differences would have p = 0.
TEST_F(Claims, StayUndecidedWithoutASpread) {
  have("1-9-1-0", {20, 21, 22});
  have("1-1-1-0", {20.5, 21.5, 22.5});
  const Claim claim = answered("1-9-1-0 < 1-1-1-0");
  EXPECT_EQ(claim.verdict, Verdict::kUndecided);
  EXPECT_EQ(claim.why,
            "1-9-1-0 and 1-1-1-0 differ by -0.5 for every seed, as far as the metric resolves: a "
            "test needs a spread");
}

// A table above shows the same cells among others: the claim has the p of its marks.
TEST_F(Claims, AgreeWithTheMarksBesideThem) {
  have("1-9-1-0", kGood);
  have("1-1-1-0", kBad);
  const ClaimSpec spec{.text = "1-9-1-0 < 1-1-1-0 of model.code in valid.ppl"};
  const Claim alone = answered(spec.text);
  const auto database = open_for_reading(scratch.path());
  const Table table = make_table(*database, kTestRoles,
                                 {.rows = {"model.code"}, .values = {"valid.ppl", "train.loss"}});
  const Claim beside = answer_claim(*database, kTestRoles, spec, {table});
  EXPECT_EQ(table.tests.size(), 2u);
  EXPECT_GT(beside.p, alone.p);
  EXPECT_EQ(beside.test, "paired t-test over common seeds, Holm's correction over 2 tests");
  EXPECT_TRUE(std::any_of(table.tests.begin(), table.tests.end(),
                          [&](const PairTest& test) { return test.p == beside.p; }));
  EXPECT_LT(beside.low, alone.low);  // the interval is corrected alike
}

TEST_F(Claims, StayUndecidedIfRunsDifferOtherwise) {
  for (const std::int64_t d : {64, 128}) {
    have("1-9-1-0", kGood, {{"model.d", d}});
    have("1-1-1-0", kBad, {{"model.d", d}});
  }
  const Claim claim = answered("1-9-1-0 < 1-1-1-0");
  EXPECT_EQ(claim.verdict, Verdict::kUndecided);
  EXPECT_EQ(claim.why,
            "the runs of 1-9-1-0 differ in another parameter: fix it with where, "
            "choose it with select, or pair over it with over");
  EXPECT_EQ(answered("1-9-1-0 < 1-1-1-0", {.where = {{"model.d", "64"}}}).verdict,
            Verdict::kSupported);
}

TEST_F(Claims, StayUndecidedAcrossUnlikeSettings) {
  have("1-9-1-0", kGood, {{"task.length", std::int64_t{16}}});
  have("1-1-1-0", kBad, {{"task.length", std::int64_t{32}}});
  const std::string claim = "1-9-1-0 < 1-1-1-0 of model.code";
  EXPECT_EQ(answered(claim).why,
            "the runs of 1-9-1-0 and 1-1-1-0 differ in task.length: compare equal ones with where, "
            "or allow it with across");
  EXPECT_EQ(answered(claim).verdict, Verdict::kUndecided);
  EXPECT_EQ(answered(claim, {.across = {"task.length"}}).verdict, Verdict::kSupported);
}

TEST_F(Claims, StayUndecidedBetweenModelsThatAreNotMatched) {
  have("1-9-1-0", kGood, {}, 1e-3, 1000);
  have("1-1-1-0", kBad, {}, 1e-3, 1100);
  const std::string claim = "1-9-1-0 < 1-1-1-0 in valid.ppl";
  EXPECT_EQ(answered(claim).verdict, Verdict::kSupported);
  EXPECT_EQ(answered(claim, {.matched = 0.1}).verdict, Verdict::kSupported);
  EXPECT_EQ(answered(claim, {.matched = 0.05}).verdict, Verdict::kUndecided);
  EXPECT_EQ(answered(claim, {.matched = 0.05}).why,
            "1-9-1-0 and 1-1-1-0 are not of one size: only rows whose numbers of parameters differ "
            "by at most 5 % are compared");
}

TEST_F(Claims, AndMarksHaveTheSameTests) {
  have("1-9-1-0", kGood);
  have("1-1-1-0", {25.5, 25.6, 26.9, 26.9});
  have("1-2-1-0", {24.3, 24.4, 24.2, 24.8});
  have("1-3-1-0", {26, 27, 28, 26});
  fold(scratch.path());
  const Table table = make_table(*open_for_reading(scratch.path()), kTestRoles,
                                 {.rows = {"model.code"}, .values = {"valid.ppl"}});
  for (std::size_t row = 0; row < table.rows.size(); ++row) {
    if (table.rows[row][0] == "1-9-1-0") continue;
    const Claim claim = answered("1-9-1-0 < " + table.rows[row][0] + " in valid.ppl");
    EXPECT_EQ(claim.verdict == Verdict::kSupported, !table.cells[row][0].not_worse)
        << claim_sentence(claim);
  }
}

// No single width decides the claim, but being better at every width does.
TEST_F(Claims, PairRunsOverOtherParameters) {
  const std::vector<double> good = {24, 20, 17, 15}, bad = {26.5, 22.4, 19.2, 17.1};
  for (std::size_t i = 0; i < good.size(); ++i) {
    const Values width = {{"model.d", std::int64_t{64} << i}};
    have("1-9-1-0", {good[i]}, width);
    have("1-1-1-0", {bad[i]}, width);
  }
  EXPECT_EQ(answered("1-9-1-0 < 1-1-1-0", {.where = {{"model.d", "64"}}}).verdict,
            Verdict::kUndecided);
  const Claim claim = answered("1-9-1-0 < 1-1-1-0", {.over = {"model.d"}});
  const Statistics wanted = statistics_of({-2.5, -2.4, -2.2, -2.1});
  EXPECT_EQ(claim.verdict, Verdict::kSupported);
  EXPECT_EQ(claim.test, "paired t-test over common seeds of each model.d");
  EXPECT_NEAR(claim.effect, wanted.mean, 1e-12);  // rounding of the differences
  EXPECT_NEAR(claim.high, wanted.high, 1e-12);
  EXPECT_EQ(claim.n, 4);
  EXPECT_EQ(answered("1-9-1-0 is worst of model.code", {.over = {"model.d"}}).verdict,
            Verdict::kContradicted);
}

// A width that only one of them has makes no pair and is marked; the rate is chosen at each width.
TEST_F(Claims, OverAParameterUseWhatBothHave) {
  for (const double lr : {1e-3, 1e-2}) {
    const double off = lr == 1e-3 ? 0 : 5;
    const Values narrow = {{"model.d", std::int64_t{64}}}, wide = {{"model.d", std::int64_t{128}}};
    have("1-9-1-0", {20 + off, 21 + off}, narrow, lr);
    have("1-1-1-0", {28 - off, 29.5 - off}, narrow, lr);
    have("1-9-1-0", {10 + off, 11.5 + off}, wide, lr);
  }
  const Claim claim = answered("1-9-1-0 < 1-1-1-0 in valid.ppl", {.over = {"model.d"}});
  EXPECT_EQ(claim.n, 2);
  EXPECT_NEAR(claim.effect, -3.25, 1e-12);  // 20, 21 against 23, 24.5
  EXPECT_NE(claim.signs.find('m'), std::string::npos);
}

// The rate is chosen as in a table by default: for a claim about the test split, on validation.
TEST_F(Claims, ChooseTheRateByTheFirstValidationMetric) {
  for (const double lr : {1e-3, 1e-2}) {
    const double off = lr == 1e-3 ? 0 : 5;
    have("1-9-1-0", {20 + off, 21 + off, 22 + off}, {}, lr);
    have("1-1-1-0", {28 - off, 29.5 - off, 30 - off}, {}, lr);
  }
  const Claim claim = answered("1-9-1-0 < 1-1-1-0 of model.code in valid.ppl@last");
  EXPECT_EQ(claim.verdict, Verdict::kSupported) << claim.why;
  EXPECT_NEAR(claim.effect, (-3 - 3.5 - 3) / 3, 1e-12);
  // Every run of the fixture has the same test.ppl.
  EXPECT_EQ(answered("1-9-1-0 < 1-1-1-0 of model.code in test.ppl").effect, 0);
}

TEST_F(Claims, AcceptDisplayNames) {
  have("1-9-1-0", kGood);
  have("1-1-1-0", kBad);
  const DisplayNames names = {{"1-9-1-0", "GLA"}, {"model.code", "gate"}};
  EXPECT_EQ(answered("GLA < 1-1-1-0 in valid.ppl", {.names = names}).verdict, Verdict::kSupported);
}

TEST_F(Claims, MarkMissingRuns) {
  have("1-9-1-0", kGood);
  have("1-1-1-0", kBad);
  FixtureRun more{.number = 99, .code = "1-9-1-0", .seed = 9};
  const Claim claim =
      answered("1-9-1-0 < 1-1-1-0", {.planned = {{run_id(99), run_line(more).parameters}}});
  EXPECT_EQ(claim.signs, "m,b");  // also planned with a different number of steps
}

TEST_F(Claims, HigherIsBetterForAccuracies) {
  have("1-9-1-0", kGood);
  have("1-1-1-0", kBad);
  fold(scratch.path());
  EXPECT_EQ(answered("1-9-1-0 is best of model.code in train.loss").verdict, Verdict::kSupported);
  EXPECT_FALSE(lower_is_better("test.accuracy"));
}

TEST_F(Claims, AreRefusedIfTheyCannotBeEvaluated) {
  have("1-9-1-0", kGood);
  have("1-1-1-0", kBad);
  EXPECT_EQ(refusal("1-9-1-0 < 1-5-1-0"),
            "expected values of one parameter that varies, got '1-9-1-0' and '1-5-1-0' of none: "
            "add 'of KEY'");
  EXPECT_EQ(refusal("1-9-1-0 < 1-5-1-0 of model.code"),
            "expected one of 1-1-1-0, 1-9-1-0 of model.code, got '1-5-1-0'");
  EXPECT_EQ(refusal("1-9-1-0 is best of model.code in test.ppl@best").substr(0, 52),
            "expected a step that is not chosen by a test metric,");
}

TEST(ClaimText, IsParsedOrRefused) {
  const ParsedClaim claim = parse_claim(" a <  b of k in m.n ");
  EXPECT_EQ(claim.left + claim.right + claim.key + claim.metric, "abkm.n");
  EXPECT_EQ(parse_claim("a is worst of k").kind, ParsedClaim::Kind::kWorst);
  for (const char* text : {"", "a", "a < ", "a = b", "a is best", "a is good of k", "a < b in",
                           "a < b in m in n", "a < a", "a < b by m", "a is best of k of k"})
    EXPECT_THROW(parse_claim(text), std::invalid_argument) << text;
}

}  // namespace results
