// table_published.cpp: a paper's numbers beside ours.
#include <gtest/gtest.h>

#include "lcsm/base/words.h"
#include "results/tables/table_formats.h"
#include "results/tables/table_steps.h"
#include "tests/results/fixture.h"

namespace results {
namespace {

TableCell trained(const std::string& id, const std::string& task, double value) {
  TableCell cell;
  cell.samples = {{id, "1", RunState::kDone, "c", value}};
  cell.statistics = statistics_of({value});
  cell.task = task;
  return cell;
}

// Two of the three models of table 1 of S4++.
Table of_squares(const TableSpec& spec, const std::string& value = "test.mse") {
  Table table;
  table.row_keys = {"model.code"};
  table.columns = {{{}, value}};
  table.rows = {{"s4"}, {"mine"}};
  table.cells = {{trained("a", "pythagorean", 0.7)}, {trained("b", "pythagorean", 0.1)}};
  add_published(&table, "s4pp/table1-pythagorean", kTestRoles, spec);
  return table;
}

std::string headers_of(const Table& table) { return lcsm::joined(shown(table).headers, "|"); }

TEST(TablePublished, HasADifferenceForRunsThatDoWhatThePaperDid) {
  const Table table = of_squares({.scope = {.as_paper = std::set<std::string>{"a"}}});
  EXPECT_TRUE(table.cells[0][0].as_paper);
  EXPECT_EQ(headers_of(table), "model.code|test.mse|paper|minus paper");
  EXPECT_EQ(shown(table).rows[0][2].text, "0.67");
  EXPECT_EQ(shown(table).rows[0][3].text, "+0.03");
}

TEST(TablePublished, HasNoNumberForAStep) {
  EXPECT_EQ(headers_of(of_squares({}, "test.mse@100")), "model.code|test.mse@100");
  EXPECT_EQ(headers_of(of_squares({}, "test.mse@valid.mse")),
            "model.code|test.mse@valid.mse|paper|minus paper");
}

// Few steps of a language model give perplexities in the thousands.
TEST(TablePublished, KeepsThePrintedDecimals) {
  Table table;
  table.row_keys = {"model.code"};
  table.columns = {{{}, "valid.ppl"}};
  table.columns[0].decimals = 0;
  table.rows = {{"1-0-1-0"}, {"1-1-1-0"}};
  table.cells = {{trained("a", "wikitext-103", 1234.5)}, {trained("b", "wikitext-103", 2345.6)}};
  add_published(&table, "lcsm/table4-o-types", kTestRoles, {.numbers = true});
  EXPECT_EQ(shown(table).rows[0][1].text, "1234");
  EXPECT_EQ(shown(table).rows[0][2].text, "26.12");
  EXPECT_EQ(shown(table).rows[1][2].text, "24.26");
}

TEST(TablePublished, HasNoDifferenceForOtherRuns) {
  const Table table = of_squares({.scope = {.as_paper = std::set<std::string>()}});
  EXPECT_FALSE(table.cells[0][0].as_paper);
  EXPECT_EQ(headers_of(table), "model.code|test.mse|paper, other task");
  EXPECT_EQ(shown(table).rows[0][2].text, "0.67");
  EXPECT_NE(note_texts(table)[0].find("not comparable"), std::string::npos);
}

// Beside comparable rows, a number that is not comparable would mislead.
TEST(TablePublished, LeavesOutOtherRunsBesideComparableOnes) {
  Table table;
  table.row_keys = {"model.code"};
  table.columns = {{{}, "test.mse"}};
  table.rows = {{"s4"}, {"s4+attention@causal=false"}};
  table.cells = {{trained("a", "pythagorean", 0.7)}, {trained("b", "pythagorean", 0.1)}};
  add_published(&table, "s4pp/table1-pythagorean", kTestRoles,
                {.scope = {.as_paper = std::set<std::string>{"a"}}});
  EXPECT_EQ(shown(table).rows[0][2].text, "0.67");
  EXPECT_EQ(shown(table).rows[1][2].text, "");
  EXPECT_EQ(shown(table).rows[1][3].text, "");
}

TEST(TablePublished, OfTwoModelsBelongsToNeither) {
  Table table;
  table.row_keys = {"model.code", "model.system"};
  table.columns = {{{}, "test.mse"}};
  table.rows = {{"s4", "mine"}, {"s4", "s4+attention@causal=false"}};
  table.cells = {{trained("a", "pythagorean", 0.7)}, {trained("b", "pythagorean", 0.1)}};
  add_published(&table, "s4pp/table1-pythagorean", kTestRoles, {});
  EXPECT_EQ(table.cells[0][0].published, 0.67);
  EXPECT_FALSE(table.cells[1][0].published);
}

TEST(TablePublished, HasARowForEachModelOfThePaper) {
  const Table table = of_squares({});
  ASSERT_EQ(table.rows.size(), 4u);
  EXPECT_EQ(table.rows[2][0], "transformer@bidirectional=true");
  EXPECT_EQ(table.rows[3][0], "s4+attention@causal=false");
  EXPECT_EQ(shown(table).rows[3][1].text, "") << "it has no run";
  EXPECT_EQ(shown(table).rows[3][2].text, "0.02");
  EXPECT_EQ(shown(table).rows[3][3].text, "");
}

TEST(TablePublished, AddsNoRowsToADrawnOrFilteredTable) {
  EXPECT_EQ(of_squares({.numbers = true}).rows.size(), 2u);
  EXPECT_EQ(of_squares({.where = {{"seed", "1"}}}).rows.size(), 2u);
}

TEST(TablePublished, PutsQuotientsBesideOurs) {
  Table table;
  table.row_keys = {"model.code"};
  table.columns = {{{}, "time.tokens_per_second"}};
  table.rows = {{"transformer"}, {"mega"}};
  table.cells = {{trained("a", "lra-text", 100)}, {trained("b", "lra-text", 300)}};
  for (auto& row : table.cells) row[0].ratio = row[0].statistics.mean / 100;
  add_published(&table, "mega/table2-speed", kTestRoles, {});
  EXPECT_EQ(headers_of(table), "model.code|time.tokens_per_second|relative|paper's");
  EXPECT_EQ(shown(table).rows[1][2].text, "3");
  EXPECT_EQ(shown(table).rows[1][3].text, "2.9");
}

}  // namespace
}  // namespace results
