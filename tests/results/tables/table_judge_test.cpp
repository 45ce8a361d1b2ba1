// table_judge.cpp: which differences are marked, and how often by chance.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <random>

#include "results/tables/pair_tests.h"
#include "results/tables/table_steps.h"

namespace results {
namespace {

// A column of valid.ppl: of_seed[seed][row].
Table table_of(const std::vector<std::vector<double>>& of_seed) {
  Table table;
  table.columns = {{{}, "valid.ppl", true}};
  for (std::size_t row = 0; row < of_seed[0].size(); ++row) {
    TableCell cell;
    std::vector<double> values;
    for (std::size_t seed = 0; seed < of_seed.size(); ++seed) {
      values.push_back(of_seed[seed][row]);
      cell.samples.push_back({"", std::to_string(seed), RunState::kDone, "", values.back()});
    }
    cell.statistics = statistics_of(values);
    table.rows.push_back({std::to_string(row)});
    table.cells.push_back({cell});
  }
  return table;
}

bool marks_a_difference(Table table) {
  judge(&table, {});
  return std::any_of(table.cells.begin(), table.cells.end(),
                     [](const auto& cells) { return !cells[0].best && !cells[0].not_worse; });
}

}  // namespace

// Codes that differ by chance alone: in at most alpha of the tables any of them is marked as worse.
TEST(TableJudge, UnderTheNullFewTablesMarkADifference) {
  std::mt19937 random(5);
  std::normal_distribution<double> normal(20, 1);
  constexpr int kTables = 1000, kRows = 6, kSeeds = 4;
  std::vector<std::vector<double>> of_seed(kSeeds, std::vector<double>(kRows));
  int marked = 0;
  for (int i = 0; i < kTables; ++i) {
    for (auto& values : of_seed)
      for (double& value : values) value = normal(random);
    marked += marks_a_difference(table_of(of_seed));
  }
  // Three standard deviations of a count with probability 0.05.
  EXPECT_LE(marked, kTables * 0.05 + 3 * std::sqrt(kTables * 0.05 * 0.95));
}

// Assumes no distribution: one set of skewed numbers, shuffled among the codes of each seed, so
// that they differ by chance alone.
TEST(TableJudge, UnderPermutationsFewTablesMarkADifference) {
  std::mt19937 random(8);
  std::lognormal_distribution<double> skewed(3, 0.4);
  constexpr int kTables = 1000, kRows = 5, kSeeds = 5;
  std::vector<std::vector<double>> of_seed(kSeeds, std::vector<double>(kRows));
  for (auto& values : of_seed)
    for (double& value : values) value = skewed(random);
  int marked = 0;
  for (int i = 0; i < kTables; ++i) {
    for (auto& values : of_seed) std::shuffle(values.begin(), values.end(), random);
    marked += marks_a_difference(table_of(of_seed));
  }
  // Three standard deviations of a count with probability 0.05.
  EXPECT_LE(marked, kTables * 0.05 + 3 * std::sqrt(kTables * 0.05 * 0.95));
}

TEST(TableJudge, AClearDifferenceIsFound) {
  Table table;
  table.columns = {{{}, "test.accuracy", false}};
  for (const std::vector<double>& values : {std::vector<double>{0.50, 0.51, 0.49, 0.50},
                                            {0.90, 0.92, 0.91, 0.90},
                                            {0.91, 0.91, 0.90, 0.92}}) {
    TableCell cell;
    for (const double value : values)
      cell.samples.push_back({"", std::to_string(cell.samples.size()), RunState::kDone, "", value});
    cell.statistics = statistics_of(values);
    table.rows.push_back({std::to_string(table.rows.size())});
    table.cells.push_back({cell});
  }
  judge(&table, {});
  EXPECT_FALSE(table.cells[0][0].best || table.cells[0][0].not_worse);
  EXPECT_TRUE(table.cells[1][0].not_worse);
  EXPECT_TRUE(table.cells[2][0].best);
}

// The best of each task; none of a task with one row.
TEST(TableJudge, RowsOfUnlikeTasksAreNotCompared) {
  Table table = table_of({{1, 2, 10, 11, 20}, {1, 2, 10, 11, 20}});
  for (std::size_t row = 0; row < 5; ++row)
    table.cells[row][0].task = row < 2 ? "mqar" : row < 4 ? "text" : "images";
  judge(&table, {});
  std::string best;
  for (const auto& cells : table.cells)
    best += cells[0].best ? '*' : cells[0].not_worse ? '~' : '.';
  EXPECT_EQ(best, "*.*..");
  EXPECT_EQ(table.notes[0].parts[0].text,
            "best mean of its column among rows of its task and settings;");
}

// 2500 steps on length 16 say nothing of 800 steps on length 32.
TEST(TableJudge, RowsOfUnlikeSettingsAreNotCompared) {
  Table table = table_of({{1, 2, 1.5, 3}, {1.1, 2.2, 1.6, 3.1}, {1, 2.1, 1.5, 3}});
  for (std::size_t row = 0; row < 4; ++row)
    table.cells[row][0].setting = {{"optim.steps", row < 2 ? "2500" : "800"}, {"task.vocab", "8"}};
  judge(&table, {.baseline = "0"});
  EXPECT_TRUE(table.cells[0][0].best);
  EXPECT_TRUE(table.cells[2][0].best);
  EXPECT_TRUE(table.cells[1][0].difference);
  EXPECT_FALSE(table.cells[3][0].difference);
  EXPECT_EQ(
      table.notes[0].parts[0].text,
      "rows that differ in optim.steps are not compared; --across optim.steps would allow it");
}

TEST(TableJudge, EqualDifferencesDecideNothing) {
  Table table = table_of({{20, 21}, {20.5, 21.5}, {19, 20}});
  judge(&table, {});
  EXPECT_TRUE(table.cells[0][0].best);
  EXPECT_FALSE(table.cells[1][0].not_worse) << "not tested";
  const PairTests tests(2, [&](std::size_t a, std::size_t b) {
    return common_seeds(table.cells[a][0], table.cells[b][0], table.columns[0]);
  });
  EXPECT_TRUE(std::isnan(tests.p(0, 1)));
  // 0.91 - 0.90 is not 0.92 - 0.91, by their rounding.
  EXPECT_TRUE(std::isnan(paired_t_test({0.91, 0.92, 0.93}, {0.90, 0.91, 0.92})));
}

// One of 100 examples more in each seed: far within the binomial error of sqrt(2 0.9 0.1 / 100).
TEST(TableJudge, ASharesSpreadIsAtLeastItsBinomialError) {
  Table table = table_of({{0.90, 0.91}, {0.90, 0.91}, {0.91, 0.92}, {0.90, 0.911}});
  table.columns[0].value = "test.accuracy";
  const auto p_of = [&](double examples) {
    for (auto& cells : table.cells) cells[0].examples = examples;
    return PairTests(2,
                     [&](std::size_t a, std::size_t b) {
                       return common_seeds(table.cells[a][0], table.cells[b][0], table.columns[0]);
                     })
        .p(0, 1);
  };
  EXPECT_LT(p_of(0), 1e-4) << "the number of examples is not known";
  EXPECT_GT(p_of(100), 0.5);
  EXPECT_LT(p_of(1e6), 1e-4);
}

// Accuracies of 1000 models that are equally good, on 50 examples: few seeds often agree by chance.
TEST(TableJudge, FewEqualAccuraciesAreRarelyCalledDifferent) {
  std::mt19937 random(3);
  std::binomial_distribution<int> correct(50, 0.8);
  constexpr int kTables = 1000, kRows = 4, kSeeds = 3;
  std::vector<std::vector<double>> of_seed(kSeeds, std::vector<double>(kRows));
  int marked = 0;
  for (int i = 0; i < kTables; ++i) {
    for (auto& values : of_seed)
      for (double& value : values) value = correct(random) / 50.0;
    Table table = table_of(of_seed);
    table.columns[0].value = "test.accuracy", table.columns[0].lower_better = false;
    for (auto& cells : table.cells) cells[0].examples = 50;
    marked += marks_a_difference(std::move(table));
  }
  EXPECT_LE(marked, kTables * 0.05);
}

// The announced difference is that at which the test decides, whatever the spread.
TEST(TableJudge, TheLeastDifferenceFoundIsWhereTheTestDecides) {
  std::mt19937 random(4);
  std::normal_distribution<double> normal(0, 1);
  for (int i = 0; i < 100; ++i) {
    SeedPairs pairs;
    for (int seed = 0; seed < 4; ++seed)
      pairs.a.push_back(normal(random)), pairs.b.push_back(normal(random));
    const auto tested = [&](double shift) {
      SeedPairs moved = pairs;
      for (double& a : moved.a) a += shift;
      return PairTests(2, [&](std::size_t, std::size_t) { return moved; });
    };
    const double least = tested(0).least_found(0, 1), mean = tested(0).difference(0, 1).mean;
    EXPECT_LT(tested(1.001 * least - mean).p(0, 1), kAlpha);
    EXPECT_GT(tested(0.999 * least - mean).p(0, 1), kAlpha);
  }
}

TEST(TableJudge, DifferencesAreToTheBaselineWithTheSameOtherLabels) {
  Table table = table_of({{1, 2, 10, 12, 5}});
  table.row_keys = {"task.length", "model.code"};
  table.rows = {{"64", "a"}, {"64", "b"}, {"128", "a"}, {"128", "b"}, {"256", "b"}};
  judge(&table, {.baseline = "a"});
  EXPECT_EQ(table.cells[1][0].difference, 1);
  EXPECT_EQ(table.cells[3][0].difference, 2);
  EXPECT_FALSE(table.cells[4][0].difference);
}

TEST(TableJudge, WithoutABestThereIsNoNoteOfIt) {
  Table table = table_of({{std::nan(""), std::nan("")}});
  for (auto& cells : table.cells) cells[0].statistics = statistics_of({});
  judge(&table, {});
  EXPECT_TRUE(table.notes.empty());
}

// The differences are 0.5, 1.5 and 1: their mean 1 is below t(0.975, 2) sd / sqrt(3) = 4.303 * 0.5
// / 1.732 = 1.242.
TEST(TableJudge, TooFewSeedsForTheDifferencesSeenAreNoted) {
  Table table = table_of({{20, 20.5}, {20, 21.5}, {20, 21}});
  table.n = 3;
  judge(&table, {});
  EXPECT_TRUE(table.cells[1][0].not_worse);
  ASSERT_EQ(table.notes.size(), 2u);
  EXPECT_EQ(table.notes[1].parts[0].text,
            "3 seeds find only differences in valid.ppl above 1.2: larger than any seen here");
  Table found = table_of({{20, 20.9}, {20, 21.1}, {20, 21}});
  judge(&found, {});
  EXPECT_EQ(found.notes.size(), 1u);
}

}  // namespace results
