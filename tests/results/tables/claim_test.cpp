// Claims: parsing, and verdicts from runs.
#include "results/tables/claim.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <random>
#include <stdexcept>

#include "results/events/metric.h"
#include "results/store/fold.h"
#include "results/store/store.h"
#include "results/tables/difference.h"
#include "results/tables/table_formats.h"
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
    return judge_claims({compare_claim(*open_for_reading(scratch.path()), kTestRoles, spec)})[0];
  }
  std::string refusal(const std::string& text, const std::vector<Condition>& where = {}) {
    return message_of<std::invalid_argument>([&] { answered(text, {.where = where}); });
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

TEST(ClaimSentences, ShowOnWhichSideOfAlphaPIs) {
  const auto shown = [](double p) {
    Claim claim;
    claim.p = p;
    const std::string text = claim_reason(claim);
    const std::size_t at = text.find("p = ");
    return text.substr(at, text.find(',', at) - at);
  };
  EXPECT_EQ(shown(0.00321), "p = 0.0032");
  EXPECT_EQ(shown(0.0496), "p = 0.0496");
  EXPECT_EQ(shown(0.049996), "p = 0.049996");
  EXPECT_EQ(shown(0.05), "p = 0.05");
  EXPECT_EQ(shown(0.0504), "p = 0.05");
  EXPECT_EQ(shown(1), "p = 1");
}

// Every comparison must agree, so the weakest one decides, and more rivals need no correction.
TEST_F(Claims, ThatOneIsBestRestOnTheWeakestComparison) {
  have("1-9-1-0", kGood);
  have("1-1-1-0", kBad);
  EXPECT_EQ(answered("1-9-1-0 is best of model.code").verdict, Verdict::kSupported);
  EXPECT_EQ(answered("1-1-1-0 is worst of model.code").verdict, Verdict::kSupported);
  EXPECT_EQ(answered("1-1-1-0 is best of model.code").verdict, Verdict::kContradicted);
  const double alone = answered("1-1-1-0 is worst of model.code").p;
  have("1-2-1-0", kNear);
  const Claim claim = answered("1-9-1-0 is best of model.code in valid.ppl");
  EXPECT_EQ(claim.verdict, Verdict::kUndecided);
  EXPECT_EQ(claim.against, "1-2-1-0");
  EXPECT_EQ(answered("1-9-1-0 is best in valid.ppl").p, claim.p);
  EXPECT_EQ(claim.test, "paired t-test over common seeds");
  const Claim worst = answered("1-1-1-0 is worst of model.code");
  EXPECT_EQ(worst.p, std::max(alone, difference_of({{kNear, kBad, {}}}).p));
}

// One better rival is enough to contradict, and every rival may be better by chance.
TEST_F(Claims, ThatOneIsBestAreContradictedWithACorrectionForTheRivals) {
  have("1-9-1-0", kGood);
  have("1-2-1-0", kNear);
  have("1-1-1-0", kBad);
  const Claim claim = answered("1-1-1-0 is best of model.code");
  EXPECT_EQ(claim.verdict, Verdict::kContradicted);
  const double least =
      std::min(difference_of({{kGood, kBad, {}}}).p, difference_of({{kNear, kBad, {}}}).p);
  EXPECT_NEAR(claim.p, 2 * least, 1e-15);
  EXPECT_GT(claim.low, 0);
}

TEST_F(Claims, StayUndecidedWithTooFewSeeds) {
  have("1-9-1-0", {20});
  have("1-1-1-0", {30});
  const Claim claim = answered("1-9-1-0 < 1-1-1-0");
  EXPECT_EQ(claim.verdict, Verdict::kUndecided);
  EXPECT_EQ(
      claim_sentence(claim),
      "undecided: 1-9-1-0 < 1-1-1-0 (1-9-1-0 and 1-1-1-0 have fewer than three common seeds)");
  have("1-2-1-0", {25});
  const Claim best = answered("1-9-1-0 is best of model.code in valid.ppl");
  EXPECT_EQ(best.against, "1-2-1-0") << "the strongest rival";
  EXPECT_EQ(best.effect, -5);
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

// Three claims, one without a test: the other two are corrected.
TEST_F(Claims, OfAFileAreOneFamily) {
  have("1-9-1-0", kGood);
  have("1-1-1-0", kBad);
  have("1-2-1-0", {25.5, 25.6, 26.9, 26.9});
  have("1-3-1-0", {20});
  fold(scratch.path());
  const auto database = open_for_reading(scratch.path());
  std::vector<ComparedClaim> family;
  std::vector<Claim> alone;
  for (const char* rival : {"1-1-1-0", "1-2-1-0", "1-3-1-0"}) {
    const ClaimSpec spec{.text = std::string("1-9-1-0 < ") + rival + " of model.code in valid.ppl"};
    family.push_back(compare_claim(*database, kTestRoles, spec));
    alone.push_back(judge_claims({family.back()})[0]);
  }
  const std::vector<Claim> claims = judge_claims(family);
  ASSERT_LT(alone[0].p, alone[1].p);
  EXPECT_EQ(claims[0].p, 2 * alone[0].p);
  EXPECT_EQ(claims[1].p, std::max(alone[1].p, claims[0].p));
  EXPECT_TRUE(std::isnan(claims[2].p));
  EXPECT_EQ(claims[0].test, "paired t-test over common seeds, Holm's correction over 2 claims");
  EXPECT_EQ(claims[2].why, alone[2].why);
  EXPECT_LT(claims[0].low, alone[0].low);  // the interval is corrected alike
}

// The rows of a table do not count in the correction of a claim.
TEST_F(Claims, AreNotCorrectedOverTheRowsOfATable) {
  have("1-9-1-0", kGood);
  have("1-1-1-0", kBad);
  const double before = answered("1-9-1-0 < 1-1-1-0 in valid.ppl").p;
  have("1-2-1-0", kNear);
  have("1-3-1-0", {26, 27, 28, 26});
  EXPECT_EQ(answered("1-9-1-0 < 1-1-1-0 of model.code in valid.ppl").p, before);
}

// Repeats an experiment of known truth with the reported number of seeds.
TEST_F(Claims, AnnounceHowManySeedsWouldDecide) {
  have("1-9-1-0", {20, 22.5, 21, 22.5});
  have("1-1-1-0", {21, 23, 22.5, 22});
  const Claim claim = answered("1-9-1-0 < 1-1-1-0 in valid.ppl");
  ASSERT_EQ(claim.verdict, Verdict::kUndecided);
  ASSERT_TRUE(claim.seeds);
  const Statistics seen = statistics_of({-1, -0.5, -1.5, 0.5});
  std::mt19937 generator(1);
  std::normal_distribution<double> draw(seen.mean, seen.sd);
  const auto found = [&](std::int64_t seeds) {
    int significant = 0;
    constexpr int kTrials = 4000;
    for (int trial = 0; trial < kTrials; ++trial) {
      SeedPairs pairs;
      for (std::int64_t i = 0; i < seeds; ++i) {
        pairs.a.push_back(draw(generator));
        pairs.b.push_back(0);
      }
      significant += difference_of({pairs}).p < kAlpha ? 1 : 0;
    }
    return static_cast<double>(significant) / kTrials;
  };
  EXPECT_GT(found(*claim.seeds), kPower - 0.02);  // three standard errors of 4000 trials
  EXPECT_LT(found(*claim.seeds - 1), kPower + 0.02);
  EXPECT_NE(claim_sentence(claim).find("; if difference and spread stay, " +
                                       std::to_string(*claim.seeds) + " seeds decide it"),
            std::string::npos)
      << claim_sentence(claim);
}

TEST_F(Claims, SayWhenNoNumberOfSeedsWouldDecide) {
  have("1-9-1-0", kGood);
  have("1-1-1-0", {24.1001, 24.4998, 23.9002, 24.8});
  const Claim claim = answered("1-9-1-0 < 1-1-1-0 in valid.ppl");
  EXPECT_EQ(claim.seeds, 0);
  EXPECT_NE(claim_sentence(claim).find("100 seeds would not decide so small a difference"),
            std::string::npos);
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

TEST_F(Claims, TablesSayInWhatTheComparedRowsDiffer) {
  have("1-9-1-0", kGood, {{"task.length", std::int64_t{16}}});
  have("1-1-1-0", kBad, {{"task.length", std::int64_t{32}}});
  fold(scratch.path());
  const Table table = make_table(*open_for_reading(scratch.path()), kTestRoles,
                                 {.rows = {"model.code"},
                                  .values = {"valid.ppl"},
                                  .across = {"task.length", "optim.lr"}});  // one rate
  const std::vector<std::string> notes = note_texts(table);
  EXPECT_EQ(std::ranges::count(notes, "rows are compared although they may differ in task.length"),
            1);
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

TEST_F(Claims, StayUndecidedBetweenSpeedsOfUnlikeMachines) {
  const auto measured = [&](const std::string& code, double speed, const std::string& host) {
    for (const std::int64_t seed : {1, 2, 3})
      write_run(scratch.path(), {.number = ++runs,
                                 .code = code,
                                 .seed = seed,
                                 .host = host,
                                 .speed = speed + static_cast<double>(seed * seed)});
  };
  measured("1-9-1-0", 700, "a");
  measured("1-1-1-0", 200, "a");
  measured("1-2-1-0", 100, "b");
  const std::string end = " in time.tokens_per_second";
  EXPECT_NE(answered("1-9-1-0 > 1-1-1-0" + end).why.find("a test needs a spread"),
            std::string::npos);
  EXPECT_EQ(answered("1-9-1-0 > 1-2-1-0" + end).why,
            "1-9-1-0 and 1-2-1-0 did not run on one machine, which their speed and memory depend "
            "on");
  EXPECT_EQ(answered("1-9-1-0 > 1-2-1-0 in valid.ppl").why.find("machine"), std::string::npos);
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

// By hand: a parameter without an effect repeats the same three differences.
TEST_F(Claims, CountRunsThatWereTrainedAlikeOnce) {
  const std::vector<double> good = {24, 20, 17}, bad = {26.5, 22.4, 19.2};
  const auto every = [](std::int64_t steps) { return Values{{"eval.steps", steps}}; };
  have("1-9-1-0", good);
  have("1-1-1-0", bad);
  const double p = answered("1-9-1-0 < 1-1-1-0 of model.code in valid.ppl").p;
  for (const std::int64_t steps : {10, 20}) {
    have("1-2-1-0", good, every(steps));
    have("1-3-1-0", bad, every(steps));
  }
  have("1-2-1-0", {25, 21, 18}, every(50));
  have("1-3-1-0", {28, 23, 21}, every(50));
  const auto claim = [&](const std::string& steps) {
    return answered("1-2-1-0 < 1-3-1-0 of model.code in valid.ppl",
                    {.over = {"eval.steps"}, .where = {{"eval.steps", steps}}});
  };
  EXPECT_EQ(claim("[10, 20]").n, 3);
  EXPECT_EQ(claim("[10, 20]").p, p);
  EXPECT_EQ(claim("[10, 20]").test,
            "paired t-test over common seeds of each eval.steps, averaged over runs that were "
            "trained alike");
  EXPECT_EQ(claim("[10, 50]").test, "paired t-test over common seeds of each eval.steps");
  EXPECT_EQ(claim("[10, 50]").n, 6);
  EXPECT_EQ(claim("[10, 20, 50]").p, claim("[10, 50]").p);
  for (const char* code : {"1-2-1-0", "1-3-1-0"})  // a seed that has no value in one row
    write_run(scratch.path(), {.number = ++runs,
                               .code = code,
                               .seed = 0,
                               .valid = {99},
                               .status = std::string(code) == "1-2-1-0" ? "failed" : "done",
                               .more = every(10)});
  EXPECT_EQ(claim("[10, 20]").n, 3);
  EXPECT_EQ(claim("[10, 20]").p, p);
  for (const std::int64_t steps : {10, 20})  // runs without metrics of their training
    for (int seed = 1; seed <= 3; ++seed)
      for (const char* code : {"1-4-1-0", "1-5-1-0"})
        write_run(scratch.path(), {.number = ++runs,
                                   .code = code,
                                   .seed = seed,
                                   .valid = {},
                                   .test = std::sqrt(runs),
                                   .more = every(steps)});
  EXPECT_EQ(answered("1-4-1-0 < 1-5-1-0 of model.code in test.ppl", {.over = {"eval.steps"}}).n, 6);
}

// Only one row depends on the parameter: three runs of the other one are three, not six.
TEST_F(Claims, PairARunOnceAlthoughTheOtherRowDependsOnTheParameter) {
  for (const std::int64_t heads : {2, 4}) {
    const Values more = {{"model.heads", heads}};
    const double off = heads == 2 ? -1 : 1;
    have("1-9-1-0", {24 + off, 20 + off, 17 + off}, more);
    have("1-1-1-0", {26.5, 22.4, 19.2}, more);
  }
  const Claim claim = answered("1-9-1-0 < 1-1-1-0", {.over = {"model.heads"}});
  EXPECT_EQ(claim.n, 3);
  EXPECT_NEAR(claim.p, difference_of({{{24, 20, 17}, {26.5, 22.4, 19.2}, {}}}).p, 1e-12);
}

// A width that only one row has makes no pair and is marked; the rate is chosen per width.
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
  EXPECT_EQ(claim.test,
            "paired t-test over common seeds, optim.lr chosen by the mean over seeds of "
            "valid.ppl@last");
  EXPECT_EQ(answered("1-9-1-0 < 1-1-1-0 of model.code in valid.ppl",
                     {.tuned = {"optim.lr"}, .by = "valid.ppl", .where = {{"optim.lr", "1e-2"}}})
                .test,
            "paired t-test over common seeds");
  // All runs of the fixture have equal test.ppl.
  EXPECT_EQ(answered("1-9-1-0 < 1-1-1-0 of model.code in test.ppl").effect, 0);
}

TEST_F(Claims, AcceptDisplayNames) {
  have("1-9-1-0", kGood);
  have("1-1-1-0", kBad);
  const DisplayNames names = {{"1-9-1-0", "GLA"}, {"model.code", "gate"}};
  EXPECT_EQ(answered("GLA < 1-1-1-0 in valid.ppl", {.scope = {.names = names}}).verdict,
            Verdict::kSupported);
}

TEST_F(Claims, MayLeaveOutWhichNameOfTheModelIsMeant) {
  have("mega", kGood, {{"model.family", std::string("mega")}});
  have("s4", kBad, {{"model.family", std::string("s4")}});
  EXPECT_EQ(answered("mega < s4 in valid.ppl").verdict, Verdict::kSupported);
}

TEST_F(Claims, MarkMissingRuns) {
  have("1-9-1-0", kGood);
  have("1-1-1-0", kBad);
  FixtureRun more{.number = 99, .code = "1-9-1-0", .seed = 9};
  const Claim claim = answered("1-9-1-0 < 1-1-1-0",
                               {.scope = {.planned = {{run_id(99), run_line(more).parameters}}}});
  EXPECT_EQ(claim.signs, "m,b");  // also planned with a different number of steps
}

TEST_F(Claims, HigherIsBetterForAccuracies) {
  have("1-9-1-0", kGood);
  have("1-1-1-0", kBad);
  fold(scratch.path());
  EXPECT_EQ(answered("1-9-1-0 is best of model.code in train.loss").verdict, Verdict::kSupported);
  EXPECT_FALSE(lower_is_better("test.accuracy"));
  const std::vector<double> fast = {900, 930, 910}, slow = {200, 210, 205};
  for (std::size_t seed = 0; seed < fast.size(); ++seed)
    for (const auto& [code, speeds] : {std::pair("1-4-1-0", &fast), std::pair("1-5-1-0", &slow)})
      write_run(scratch.path(), {.number = ++runs,
                                 .code = code,
                                 .seed = static_cast<std::int64_t>(seed),
                                 .speed = speeds->at(seed)});
  const std::vector<Condition> both = {{"model.code", "[1-4-1-0, 1-5-1-0]"}};
  const std::string end = " of model.code in time.tokens_per_second";
  EXPECT_EQ(answered("1-4-1-0 is best" + end, {.where = both}).verdict, Verdict::kSupported);
  EXPECT_EQ(answered("1-5-1-0 is worst" + end, {.where = both}).verdict, Verdict::kSupported);
  EXPECT_EQ(answered("1-5-1-0 is best" + end, {.where = both}).verdict, Verdict::kContradicted);
}

TEST_F(Claims, AreRefusedIfTheyCannotBeEvaluated) {
  have("1-9-1-0", kGood);
  have("1-1-1-0", kBad);
  EXPECT_EQ(refusal("1-9-1-0 < 1-5-1-0"),
            "expected values that vary among these runs, got '1-5-1-0'; did you mean '1-1-1-0'?");
  EXPECT_EQ(refusal("1-5-1-0 is best in valid.ppl"),
            "expected values that vary among these runs, got '1-5-1-0'; did you mean '1-1-1-0'?");
  EXPECT_EQ(refusal("1-9-1-0 < 1-5-1-0 of model.code"),
            "expected one of 1-1-1-0, 1-9-1-0 of model.code, got '1-5-1-0'");
  EXPECT_EQ(refusal("1-9-1-0 < 1-1-1-0", {{"seed", "[1, 2]"}, {"model.code", "1-9-1-0"}}),
            "model.code = 1-9-1-0 leaves no run of 1-1-1-0");
  EXPECT_EQ(refusal("1-9-1-0 > 1-1-1-0 of model.code in valid.ppl", {{"model.code", "1-1-1-0"}}),
            "model.code = 1-1-1-0 leaves no run of 1-9-1-0");
  EXPECT_EQ(refusal("1-9-1-0 is best", {{"model.code", "1-9-1-0"}}),
            "expected another value of model.code to compare with, got only '1-9-1-0'");
  EXPECT_EQ(refusal("1-9-1-0 is best of model.code in test.ppl@best").substr(0, 52),
            "expected a step that is not chosen by a test metric,");
}

TEST(ClaimText, IsParsedOrRefused) {
  const ParsedClaim claim = parse_claim(" a <  b of k in m.n ");
  EXPECT_EQ(claim.left + claim.right + claim.key + claim.metric, "abkm.n");
  EXPECT_EQ(parse_claim("a is worst of k").kind, ParsedClaim::Kind::kWorst);
  EXPECT_EQ(parse_claim("a is best in m.n").key, "");
  for (const char* text : {"", "a", "a < ", "a = b", "a is", "a is good of k", "a < b in",
                           "a < b in m in n", "a < b by m", "a is best of k of k"})
    EXPECT_THROW(parse_claim(text), std::invalid_argument) << text;
  EXPECT_EQ(message_of<std::invalid_argument>([] { parse_claim("a < a in m.n"); }),
            "expected a claim that compares two names, got 'a < a in m.n'");
}

}  // namespace results
