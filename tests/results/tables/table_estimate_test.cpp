// table_estimate.cpp: bootstrap statistics in the place of means.
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>
#include <stdexcept>

#include "results/tables/table_formats.h"
#include "results/tables/table_steps.h"
#include "tests/message_of.h"

namespace results {
namespace {

// Two rows with four seeds each.
Table two_rows() {
  Table table;
  table.columns = {{{}, "test.ppl", true}};
  table.rows = {{"a"}, {"b"}};
  for (const std::vector<double>& values :
       {std::vector<double>{20, 21, 22, 90}, std::vector<double>{23, 24, 25, 26}}) {
    TableCell cell;
    cell.statistics = statistics_of(values);
    cell.strata = {values};
    cell.samples.emplace_back();
    table.cells.push_back({cell});
  }
  return table;
}

}  // namespace

TEST(TableEstimate, TheInterquartileMeanIgnoresAnOutlier) {
  Table table = two_rows();
  estimate_cells(&table, {.statistic = "iqm"});
  EXPECT_EQ(table.cells[0][0].estimate->value, 21.5);
  EXPECT_EQ(table.cells[1][0].estimate->value, 24.5);
  EXPECT_TRUE(table.cells[0][0].best);  // its mean is worse
  const ShownCell shown_cell = shown(table).rows[0][1];
  EXPECT_EQ(shown_cell.text + shown_cell.sd + shown_cell.star, "21.50*");
  EXPECT_TRUE(shown_cell.interval.starts_with("[20.") && shown_cell.interval.ends_with("]"));
  table.cells[0][0].estimate = {21.5, 20, 60};
  EXPECT_NE(table_csv(table).find(",21.5,20,60\n"), std::string::npos) << table_csv(table);
  const auto json = nlohmann::json::parse(table_json(table))["cells"][0][0]["estimate"];
  EXPECT_EQ(json["value"], 21.5);
  EXPECT_EQ(json["interval"], nlohmann::json({20, 60}));
  EXPECT_EQ(
      note_texts(table)[0],
      "interquartile mean, and its 95 % interval by stratified bootstrap over seeds; * best "
      "interquartile mean of its column among the rows that it is compared with; no test is made");
}

TEST(TableEstimate, ABootstrapIntervalIsThatOfTheMean) {
  Table table = two_rows();
  estimate_cells(&table, {.statistic = "bootstrap"});
  EXPECT_EQ(table.cells[1][0].estimate->value, 24.5);
  EXPECT_GT(table.cells[1][0].estimate->low, 23);
  EXPECT_LT(table.cells[1][0].estimate->high, 26);
  EXPECT_TRUE(table.cells[1][0].best);
  Table one = two_rows();
  one.cells[0][0].strata = {{}};  // no run is done
  estimate_cells(&one, {.statistic = "bootstrap"});
  EXPECT_FALSE(one.cells[0][0].estimate);
  EXPECT_FALSE(one.cells[1][0].best) << "of one";
}

// Of 16 pairs, 12 have the lower perplexity.
TEST(TableEstimate, ImprovementIsOnTheBaseline) {
  Table table = two_rows();
  estimate_cells(&table, {.statistic = "improvement", .baseline = "b"});
  EXPECT_EQ(table.cells[0][0].estimate->value, 0.75);
  EXPECT_FALSE(table.cells[1][0].estimate);
  EXPECT_EQ(shown(table).rows[1][1].text, "");
  for (const bool task : {true, false}) {
    Table unlike = two_rows();
    if (task)
      unlike.cells[0][0].task = "mqar";
    else
      unlike.cells[0][0].setting["task.length"] = "64";
    estimate_cells(&unlike, {.statistic = "improvement", .baseline = "b"});
    EXPECT_FALSE(unlike.cells[0][0].estimate) << task;
  }
  EXPECT_TRUE(table.notes.back().parts[0].text.ends_with("over seeds (baseline: b)"));
}

TEST(TableEstimate, AnUnknownStatisticIsRefused) {
  EXPECT_EQ(message_of<std::invalid_argument>([] { statistic_named("bootstrp"); }),
            "expected one of mean, bootstrap, iqm, improvement as statistic, got 'bootstrp'; did "
            "you mean 'bootstrap'?");
  Table table = two_rows();
  EXPECT_EQ(message_of<std::invalid_argument>(
                [&] { estimate_cells(&table, {.statistic = "improvement"}); }),
            "expected a row as baseline to improve on, got none: name one with --baseline");
}

}  // namespace results
