// table_judge.cpp: marked differences, and false positive rates.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <random>

#include "results/events/metric.h"
#include "results/tables/difference.h"
#include "results/tables/findings.h"
#include "results/tables/table_steps.h"
#include "results/text/number_text.h"

namespace results {
namespace {

// A column of valid.ppl: of_seed[seed][row].
Table table_of(const std::vector<std::vector<double>>& of_seed,
               const std::string& value = "valid.ppl", double examples = 0) {
  Table table;
  table.columns = {{{}, value, lower_is_better(value)}};
  table.n = std::ssize(of_seed);
  for (std::size_t row = 0; row < of_seed[0].size(); ++row) {
    TableCell cell;
    std::vector<double> values;
    for (std::size_t seed = 0; seed < of_seed.size(); ++seed) {
      values.push_back(of_seed[seed][row]);
      cell.samples.push_back({"", std::to_string(seed), RunState::kDone, "", values.back()});
    }
    cell.scale = scale_of(value, examples);
    cell.statistics = statistics_of(values, cell.scale);
    table.rows.push_back({std::to_string(row)});
    table.cells.push_back({cell});
  }
  return table;
}

// "*~.": the best row, one not worse, one marked as worse; else the cell's marks.
std::string stars(const Table& table) {
  std::string out;
  for (const auto& cells : table.cells)
    out += cells[0].best            ? "*"
           : cells[0].not_worse     ? "~"
           : cells[0].marks.empty() ? "."
                                    : signs_of(cells[0]);
  return out;
}

bool has_text(const std::string& text, const std::string& part) {
  return text.find(part) != text.npos;
}

std::string judged_stars(Table table) {
  judge(&table, {});
  return stars(table);
}

bool marks_a_difference(const Table& table) {
  return judged_stars(table).find('.') != std::string::npos;
}

// Appends the columns of another table with equal rows.
void append(const Table& more, Table* table) {
  table->columns.insert(table->columns.end(), more.columns.begin(), more.columns.end());
  for (std::size_t row = 0; row < table->rows.size(); ++row)
    table->cells[row].insert(table->cells[row].end(), more.cells[row].begin(),
                             more.cells[row].end());
}

// Three standard deviations above the expected count of alpha.
double most_of(int tables) {
  return tables * kAlpha + 3 * std::sqrt(tables * kAlpha * (1 - kAlpha));
}

}  // namespace

// Codes that differ by chance alone: at most alpha of the tables mark any code as worse.
TEST(TableJudge, UnderTheNullFewTablesMarkADifference) {
  std::mt19937 random(5);
  std::normal_distribution<double> normal(20, 1);
  constexpr int kTables = 10000, kRows = 6, kSeeds = 4;
  std::vector<std::vector<double>> of_seed(kSeeds, std::vector<double>(kRows));
  int marked = 0;
  for (int i = 0; i < kTables; ++i) {
    for (auto& values : of_seed)
      for (double& value : values) value = normal(random);
    marked += marks_a_difference(table_of(of_seed));
  }
  EXPECT_LE(marked, most_of(kTables));
}

// Assumes no distribution: one set of skewed numbers, shuffled among the codes of each seed, so
// that they differ by chance alone.
TEST(TableJudge, UnderPermutationsFewTablesMarkADifference) {
  std::mt19937 random(8);
  std::lognormal_distribution<double> skewed(3, 0.4);
  constexpr int kTables = 10000, kRows = 5, kSeeds = 5;
  std::vector<std::vector<double>> of_seed(kSeeds, std::vector<double>(kRows));
  for (auto& values : of_seed)
    for (double& value : values) value = skewed(random);
  int marked = 0;
  for (int i = 0; i < kTables; ++i) {
    for (auto& values : of_seed) std::shuffle(values.begin(), values.end(), random);
    marked += marks_a_difference(table_of(of_seed));
  }
  EXPECT_LE(marked, most_of(kTables));
}

// Rows of known truth: two share the best, each with its own spread over seeds, in two columns. At
// most alpha of the tables have any wrong verdict: equal rows called different, in any column.
TEST(TableJudge, OfKnownTruthFewTablesHaveAnyWrongVerdict) {
  std::mt19937 random(6);
  std::normal_distribution<double> normal;
  const std::vector<double> truth = {20, 20, 21, 23}, spread = {0.2, 1, 0.5, 2};
  constexpr int kTables = 10000, kSeeds = 4;
  int wrong = 0, found = 0;
  for (int i = 0; i < kTables; ++i) {
    const auto column = [&](const std::string& value) {
      std::vector<std::vector<double>> of_seed(kSeeds, truth);
      for (auto& values : of_seed)
        for (std::size_t row = 0; row < truth.size(); ++row)
          values[row] += spread[row] * normal(random);
      return table_of(of_seed, value);
    };
    Table table = column("valid.ppl");
    append(column("test.ppl"), &table);
    judge(&table, {});
    const auto any = [&](const auto& is) {
      return std::any_of(table.tests.begin(), table.tests.end(),
                         [&](const PairTest& test) { return test.p < kAlpha && is(test); });
    };
    wrong += any([&](const PairTest& test) { return truth[test.a] == truth[test.b]; });
    found += any([](const PairTest&) { return true; });
  }
  EXPECT_LE(wrong, most_of(kTables));
  EXPECT_GT(found, wrong);  // true differences are found, too
}

// Equally good models. Each has its own errors on the examples of the split, shared by its seeds,
// so many seeds with little spread prove no difference.
TEST(TableJudge, EqualAccuraciesOnFewExamplesAreRarelyCalledDifferent) {
  std::mt19937 random(3);
  constexpr int kTables = 10000, kRows = 4, kSeeds = 8, kExamples = 200;
  std::binomial_distribution<int> correct(kExamples, 0.9);
  std::normal_distribution<double> seeds(0, 0.006);
  std::vector<std::vector<double>> of_seed(kSeeds, std::vector<double>(kRows));
  int marked = 0;
  for (int i = 0; i < kTables; ++i) {
    for (int row = 0; row < kRows; ++row) {
      const double share = correct(random) / static_cast<double>(kExamples);
      for (auto& values : of_seed) values[row] = share + seeds(random);
    }
    marked += marks_a_difference(table_of(of_seed, "test.accuracy", kExamples));
  }
  EXPECT_LE(marked, most_of(kTables));
}

TEST(TableJudge, AClearDifferenceIsFound) {
  EXPECT_EQ(judged_stars(table_of(
                {{0.50, 0.90, 0.91}, {0.51, 0.92, 0.91}, {0.49, 0.91, 0.90}, {0.50, 0.90, 0.92}},
                "test.accuracy", 10000)),
            ".~*");
}

TEST(TableJudge, FindingsSayWhichRowsAreWorse) {
  Table table =
      table_of({{0.50, 0.90, 0.91}, {0.51, 0.92, 0.91}, {0.49, 0.91, 0.90}, {0.50, 0.90, 0.92}},
               "test.accuracy", 10000);
  table.names = {{"2", "GLA"}};
  judge(&table, {});
  EXPECT_EQ(findings(table),
            (std::vector<std::string>{"test.accuracy: GLA is best; significantly worse: 0; not "
                                      "significantly worse: 1."}));
  Table two = table_of({{20, 21}, {20.5, 21.5}});
  judge(&two, {});
  EXPECT_EQ(findings(two), std::vector<std::string>{"valid.ppl: 0 is best; no verdict: 1."});
  EXPECT_TRUE(findings(table_of({{20, 21}})).empty()) << "not judged";
  Table empty = table_of({{20, 21, 9}, {20.5, 21.5, 9}});
  empty.cells[2][0].statistics = statistics_of({});
  judge(&empty, {});
  EXPECT_EQ(findings(empty), findings(two)) << "a row without a result";
}

// Rounding depends on the order of the seeds.
TEST(TableJudge, AllRowsWithTheBestMeanAreBest) {
  Table table = table_of({{0.3, 1, 0.97, 1, 0.2}, {0.2, 1, 0.99, 1, 0.4}, {0.4, 1, 0.98, 1, 0.3}},
                         "test.accuracy", 1000);
  judge(&table, {});
  EXPECT_TRUE(table.cells[1][0].best);
  EXPECT_TRUE(table.cells[3][0].best);
  EXPECT_FALSE(table.cells[2][0].best);
  EXPECT_EQ(signs_of(table.cells[3][0]), "");
  EXPECT_EQ(findings(table)[0].substr(0, 28), "test.accuracy: 1, 3 are best");
  Table reordered = table_of({{0.97, 0.99}, {0.98, 0.97}, {0.99, 0.98}}, "test.accuracy", 1000);
  judge(&reordered, {});
  EXPECT_TRUE(reordered.cells[0][0].best && reordered.cells[1][0].best);
}

// Equal differences have no variance, and two differences hardly one.
TEST(TableJudge, WithoutASpreadThereIsNoVerdict) {
  Table two = table_of({{20, 21}, {20.5, 21.5}});
  judge(&two, {});
  EXPECT_EQ(stars(two), "*.");
  EXPECT_EQ(two.notes[0].parts[0].text,
            "best mean of its column; no test: fewer than three common seeds, or no spread to test "
            "with");
  Table equal = table_of({{20, 21, 30}, {20.5, 21.5, 31}, {21, 22, 30.5}});
  judge(&equal, {});
  EXPECT_EQ(stars(equal), "*n.");
  EXPECT_EQ(equal.tests.size(), 2u);
}

// The rows' means differ by 3 over all seeds, by -1 over common seeds.
TEST(TableJudge, ARowThatIsAheadOverTheCommonSeedsIsNotWorse) {
  Table table = table_of({{20, 19}, {21, 20.01}, {22, 20.99}, {23, 22}, {1, 50}});
  table.cells[0][0].samples.pop_back();
  table.cells[1][0].samples[4].seed = "of one row";
  table.cells[1][0].statistics = statistics_of({19, 20.01, 20.99, 22, 50});
  table.cells[0][0].statistics = statistics_of({20, 21, 22, 23});
  EXPECT_EQ(judged_stars(table), "*~");
}

// The best row of each task; none in a task with one row.
TEST(TableJudge, RowsOfUnlikeTasksAreNotCompared) {
  Table table = table_of({{1, 2, 10, 11, 20}, {1.5, 2.1, 10, 11, 20}, {1, 2, 10.5, 11.2, 20}});
  for (std::size_t row = 0; row < 5; ++row)
    table.cells[row][0].task = row < 2 ? "mqar" : row < 4 ? "text" : "images";
  judge(&table, {});
  EXPECT_EQ(stars(table), "*.*.c");
  EXPECT_EQ(table.notes[0].parts[0].text,
            "best mean of its column among the rows that it is compared with;");
}

TEST(TableJudge, ARowAloneInItsColumnIsNotCalledWorse) {
  Table table = table_of({{1, 2}, {1.1, 2.2}, {1, 2.1}});
  Table alone = table_of({{1, 2}, {1.1, 2.2}, {1, 2.1}});
  alone.cells[1][0].statistics = statistics_of({});
  append(alone, &table);
  judge(&table, {});
  EXPECT_EQ(signs_of(table.cells[0][1]), "c");
  judge(&alone, {});
  EXPECT_EQ(signs_of(alone.cells[0][0]), "") << "no cell of this table was compared";
}

// 2500 steps on length 16 and 800 steps on length 32 are not comparable.
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

// 100 and 104 parameters are within 5 %, 110 and 112, too; no other row has about 200. A row of
// unknown size is compared with none, and not with another one.
TEST(TableJudge, MatchedRowsAreComparedWithRowsOfTheirSize) {
  Table table = table_of(
      {{1, 2, 1.5, 3, 4, 5, 6}, {1.1, 2.2, 1.6, 3.1, 4.2, 5, 6.1}, {1, 2.1, 1.5, 3, 4.1, 5.1, 6}});
  const double sizes[] = {112, 104, 100, 200, 110, std::nan(""), std::nan("")};
  for (std::size_t row = 0; row < 7; ++row) table.cells[row][0].params = sizes[row];
  Table any = table;
  any.cells[5][0].params = 900;  // of a run without a result
  any.cells[5][0].statistics = statistics_of({});
  match_params(&any, {});
  judge(&any, {});
  const std::string of_any = stars(any);
  EXPECT_EQ(std::count(of_any.begin(), of_any.end(), '*'), 1);
  EXPECT_TRUE(
      has_text(findings(any)[0],
               " The largest of these models has 100 % more parameters than the smallest."));
  match_params(&table, {.matched = 0.05});
  judge(&table, {.baseline = "0"});
  EXPECT_EQ(stars(table), "*.*c.cc");
  EXPECT_TRUE(table.cells[4][0].difference && !table.cells[1][0].difference);
  EXPECT_EQ(table.notes[0].parts[0].text,
            "only rows whose numbers of parameters differ by at most 5 % are compared");
  EXPECT_EQ(table.notes[1].parts[0].text,
            "best mean of its column among the rows that it is compared with;");
  for (const std::string& text : findings(table)) EXPECT_FALSE(has_text(text, "largest")) << text;
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

// Better in its two seeds, worse in the mean.
TEST(TableJudge, ARowWithoutATestIsNotCalledEqual) {
  Table table = table_of({{20, 21, 19}, {20, 22, 19.5}, {10, 23, 0}});
  TableCell& ahead = table.cells[2][0];
  ahead.samples.pop_back();
  ahead.statistics = statistics_of({19, 19.5});
  judge(&table, {});
  EXPECT_EQ(signs_of(ahead), "n");
  EXPECT_FALSE(ahead.not_worse);
}

TEST(TableJudge, PairsAreOfSeedsWithOneValue) {
  Table table = table_of({{0.5, 0.6}, {0.7, 0.8}}, "test.accuracy", 100);
  TableCell &a = table.cells[0][0], &b = table.cells[1][0];
  b.scale.examples = 50;
  EXPECT_EQ(common_seeds(a, b).a, (std::vector{0.5, 0.7}));
  EXPECT_EQ(common_seeds(a, b).scale.examples, 50) << "the fewer";
  a.samples[1].seed = a.samples[0].seed;
  EXPECT_TRUE(common_seeds(a, b).a.empty());
}

TEST(TableJudge, WithoutABestThereIsNoNoteOfIt) {
  Table table = table_of({{std::nan(""), std::nan("")}});
  for (auto& cells : table.cells) cells[0].statistics = statistics_of({});
  judge(&table, {});
  EXPECT_TRUE(table.notes.empty());
}

// The power follows from the number of tested seeds, not from the table's largest cell.
TEST(TableJudge, ThePowerIsThatOfTheSeedsOfItsTests) {
  Table table = table_of({{20, 20.5}, {20, 21.5}, {20, 21}, {20, 21}});
  table.cells[0][0].samples.pop_back();
  judge(&table, {});
  EXPECT_EQ(table.notes[1].parts[0].text,
            "no difference from the best was found: with power 0.8, 3 seeds find one above 1.6 in "
            "valid.ppl");
}

// Differences 0.5, 1.5 and 1 have the standard error 0.5 / sqrt(3); scipy's noncentral t
// needs 5.653 of them (difference_test.cpp).
TEST(TableJudge, WhatSoFewSeedsCouldFindIsNotedIfNothingWasFound) {
  Table table = table_of({{20, 20.5}, {20, 21.5}, {20, 21}});
  judge(&table, {});
  EXPECT_TRUE(table.cells[1][0].not_worse);
  ASSERT_EQ(table.notes.size(), 2u);
  EXPECT_EQ(table.notes[1].parts[0].text,
            "no difference from the best was found: with power 0.8, 3 seeds find one above 1.6 in "
            "valid.ppl");
  Table two = table_of({{20, 20.5}, {20, 21.5}, {20, 21}});
  append(table_of({{20, 20.5}, {20, 21.5}, {20, 21}}), &two);
  judge(&two, {});
  EXPECT_TRUE(has_text(
      two.notes[1].parts[0].text,
      "one above " + short_number(detectable(0.5 / std::sqrt(3.0), 3, kAlpha / 2), 2) + " in"));
  Table found = table_of({{20, 20.9}, {20, 21.1}, {20, 21}});
  judge(&found, {});
  EXPECT_EQ(found.notes.size(), 1u);
  Table share = table_of({{0.1, 0.9}, {0.5, 0.4}, {0.3, 0.8}}, "test.accuracy");
  judge(&share, {});
  EXPECT_EQ(share.notes[1].parts[0].text,
            "no difference from the best was found: with power 0.8, 3 seeds find none in "
            "test.accuracy");
}

}  // namespace results
