// Claims from given pairs and comparisons, without runs.
#include "results/tables/claim_pairs.h"

#include <gtest/gtest.h>

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "results/tables/claim.h"
#include "results/tables/difference.h"

namespace results {

// Three seeds at two numbers of examples: as sure as the fewer examples are.
TEST(ClaimPairs, OfRunsThatWereTrainedAlikeHaveTheFewestExamples) {
  Table table;
  table.columns.resize(2);
  Trainings trainings;
  for (const std::string row : {"a", "b"}) {
    auto& cells = table.cells.emplace_back();
    for (const double examples : {50.0, 1000.0}) {
      TableCell& cell = cells.emplace_back();
      cell.scale = scale_of("test.accuracy", examples);
      cell.samples = {{row + std::to_string(examples), "1", RunState::kDone, "", 1 / examples}};
      trainings[cell.samples[0].id] = {{"train.loss", 2}};
    }
  }
  for (int order = 0; order < 2; ++order) {
    const ClaimPairs pairs = claim_pairs(table, trainings, 0, 1);
    ASSERT_EQ(pairs.settings.size(), 1u);
    EXPECT_TRUE(pairs.merged);
    EXPECT_EQ(pairs.settings[0].scale.examples, 50);
    EXPECT_DOUBLE_EQ(pairs.settings[0].a.at(0), (1 / 50.0 + 1 / 1000.0) / 2);
    for (auto& cells : table.cells) std::swap(cells[0], cells[1]);
  }
}

// By hand: the interval doubles the smaller of two p values, although no reported p exceeds 1.
TEST(ClaimInterval, IsCorrectedWhereTheCorrectedPIsOne) {
  const Difference small = difference_of({{{20, 21, 23}, {20.5, 20.75, 23.25}, {}}});
  const Difference large = difference_of({{{20, 21, 23}, {20.5, 20.75, 22.875}, {}}});
  ASSERT_LT(0.5, small.p);
  ASSERT_LT(small.p, large.p);
  const auto of = [](const Difference& one) {
    return ComparedClaim{.claim = {}, .rivals = {{.name = "b", .difference = one, .margin = 1}}};
  };
  const std::vector<Claim> claims = judge_claims({of(small), of(large)});
  EXPECT_EQ(claims[0].p, 1);
  EXPECT_EQ(claims[1].p, 1);
  EXPECT_DOUBLE_EQ(claims[0].low, small.interval(0.025).low);
  EXPECT_DOUBLE_EQ(claims[0].high, small.interval(0.025).high);
}

TEST(ClaimSeeds, AreThoseOfItsComparisonsAtTheirLevel) {
  const Difference small = difference_of({{{20, 21, 23}, {20.5, 20.75, 23.25}, {}}});
  const Difference tiny = difference_of({{{20, 21, 23}, {20.5, 20.625, 23.125}, {}}});
  const auto rival = [](const Difference& one, double margin, std::int64_t settings = 1) {
    return Rival{.name = "b", .difference = one, .margin = margin, .settings = settings};
  };
  const auto seeds = [](const std::vector<Rival>& rivals, std::size_t claims = 1) {
    return judge_claims(std::vector(claims, ComparedClaim{.claim = {}, .rivals = rivals}))[0].seeds;
  };
  const std::int64_t half = pairs_needed(small, kAlpha / 2, 100);
  EXPECT_GT(half, pairs_needed(small, kAlpha, 100));
  EXPECT_EQ(seeds({rival(small, 1)}, 2), half) << "two claims";
  EXPECT_EQ(seeds({rival(small, -1), rival(small, 1)}), half) << "against the better of two";
  EXPECT_EQ(seeds({rival(small, 1), rival(tiny, 1)}), 0) << "the weaker of two";
  const std::int64_t pairs = pairs_needed(tiny, kAlpha, 10000);
  EXPECT_GT(pairs, 100);
  EXPECT_EQ(seeds({rival(tiny, 1, pairs - 1)}), 2) << "one seed lacks one pair";
}

}  // namespace results
