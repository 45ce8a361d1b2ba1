// table_judge.cpp: which differences within a column are marked.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <random>

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

// The same without assuming a distribution: one set of skewed numbers, shuffled among the codes of
// each seed, so that they differ by chance alone.
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

}  // namespace results
