// table_names.cpp: requests that these runs cannot satisfy, and suggestions.
#include "results/tables/table_names.h"

#include <gtest/gtest.h>

#include <stdexcept>

#include "results/store/fold.h"
#include "results/store/store.h"
#include "results/tables/table_formats.h"
#include "tests/message_of.h"
#include "tests/results/fixture.h"

namespace results {
namespace {

class TableNames : public testing::Test {
 protected:
  std::string refusal(const TableSpec& spec) {
    return message_of<std::invalid_argument>([&] {
      fold(scratch.path());
      make_table(*open_for_reading(scratch.path()), kTestRoles, spec);
    });
  }
  void run(int number, const std::string& code, double lr, int seed, double valid, double test) {
    write_run(
        scratch.path(),
        {.number = number, .code = code, .lr = lr, .seed = seed, .valid = {valid}, .test = test});
  }

  Scratch scratch;
};

}  // namespace

TEST_F(TableNames, RefuseWhatDoesNotExist) {
  EXPECT_EQ(refusal({}), "expected runs in the workspace, got none");
  run(1, "1-1-1-0", 0.1, 1, 20, 30);
  EXPECT_EQ(refusal({.sweep = "x"}), "expected a sweep with runs in this workspace, got 'x'");
  EXPECT_EQ(refusal({.values = {"x"}}),
            "expected a metric or parameter of these runs, got 'x'; their metrics are train.loss, "
            "valid.ppl, test.ppl");
  EXPECT_EQ(refusal({.values = {"valid.ppl@first"}}),
            "expected METRIC, METRIC@last, METRIC@best, METRIC@STEP, METRIC@OTHER.METRIC or "
            "METRIC@KEY=VALUE, got "
            "'valid.ppl@first'");
  EXPECT_EQ(refusal({.values = {"model.code"}, .numbers = true}),
            "expected numbers as value, got 'model.code' = '1-1-1-0'");
  EXPECT_EQ(refusal({.where = {{"seed", "9"}}}),
            "expected runs with seed = '9', got none; these runs have 1");
  EXPECT_EQ(refusal({.baseline = "y"}), "expected a row as baseline, got 'y'");
}

TEST_F(TableNames, OfTwoRowsOrColumnsAreNotUsed) {
  run(1, "1-1-1-0", 0.1, 1, 20, 30);
  run(2, "1-2-1-0", 0.1, 1, 20, 30);
  fold(scratch.path());
  const auto shown_by = [&](const DisplayNames& names) {
    const ShownTable table =
        shown(make_table(*open_for_reading(scratch.path()), kTestRoles,
                         {.values = {"valid.ppl", "test.ppl"}, .scope = {.names = names}}));
    return table.headers[1] + " " + table.headers[2] + " " + table.rows[0][0].text + " " +
           table.rows[1][0].text;
  };
  EXPECT_EQ(shown_by({{"1-1-1-0", "GLA"}, {"1-3-1-0", "GLA"}}), "valid.ppl test.ppl GLA 1-2-1-0");
  EXPECT_EQ(shown_by({{"1-1-1-0", "GLA"}, {"1-2-1-0", "GLA"}, {"test.ppl", "ppl"}}),
            "valid.ppl ppl 1-1-1-0 1-2-1-0");
  EXPECT_EQ(shown_by({{"1-1-1-0", "1-2-1-0"}, {"test.ppl", "valid.ppl"}}),
            "valid.ppl test.ppl 1-1-1-0 1-2-1-0");
}

// A sweep's file has tables for the tasks of all its scales. Tables of other scales must not hide
// the rest.
TEST_F(TableNames, LeaveMetricsOfAFileEmptyThatTheseRunsDoNotReport) {
  run(1, "1-1-1-0", 0.1, 1, 20, 30);
  fold(scratch.path());
  const TableSpec spec{.values = {"test.ppl", "test.f1"}, .of_file = true};
  const Table table = make_table(*open_for_reading(scratch.path()), kTestRoles, spec);
  ASSERT_EQ(table.columns.size(), 2u);
  EXPECT_EQ(table.cells[0][0].statistics.n, 1);
  EXPECT_EQ(table.cells[0][1].statistics.n, 0);
  EXPECT_NE(refusal({.values = {"test.ppl", "test.f1"}}), "");
  EXPECT_NE(refusal({.values = {"test.f2"}, .of_file = true}), "");
}

TEST_F(TableNames, SuggestNoMetricByItsOwnName) {
  run(1, "1-1-1-0", 0.1, 1, 20, 30);
  fold(scratch.path());
  EXPECT_EQ(
      meant_value(*open_for_reading(scratch.path()), {}, "test.ppl", {"valid.ppl", "test.ppl"}),
      ", which none of them has reported");
}

TEST_F(TableNames, NameAnEvaluationThatNoRunHasWithItsSettings) {
  run(1, "1-1-1-0", 0.1, 1, 20, 30);
  EXPECT_EQ(refusal({.values = {"test.ppl@task.length=128"}}),
            "expected a metric or parameter of these runs, got 'test.ppl@task.length=128', which "
            "none of them has reported");
}

// Unchecked, a misspelled parameter would put all runs into one row.
TEST_F(TableNames, RefuseNamesThatNoRunHasAndSuggestOthers) {
  run(1, "1-1-1-0", 0.1, 1, 20, 30);
  run(2, "1-9-1-0", 0.1, 1, 20, 30);
  const std::string code =
      "expected a parameter of these runs, got 'model.cod'; did you mean "
      "'model.code'?";
  EXPECT_EQ(refusal({.rows = {"model.cod"}}), code);
  EXPECT_EQ(refusal({.columns = {"model.cod"}}), code);
  EXPECT_EQ(refusal({.tuned = {"model.cod"}, .by = "valid.ppl"}), code);
  EXPECT_EQ(refusal({.where = {{"model.cod", "1-1-1-0"}}}), code);
  EXPECT_EQ(refusal({.values = {"ppl"}}),
            "expected a metric or parameter of these runs, got 'ppl'; did you mean 'valid.ppl'?");
  EXPECT_EQ(refusal({.values = {"test.pl"}}),
            "expected a metric or parameter of these runs, got 'test.pl'; did you mean "
            "'test.ppl'?");
  EXPECT_EQ(refusal({.tuned = {"optim.lr"}, .by = "valid.pl"}),
            "expected a metric or parameter of these runs, got 'valid.pl'; did you mean "
            "'valid.ppl'?");
  EXPECT_EQ(refusal({.values = {"valid.ppl"}, .sort = "test.ppl"}),
            "expected one of the table's values to sort by, got 'test.ppl'");
  EXPECT_EQ(refusal({.rows = {"model.code"}, .baseline = "1-1-1-"}),
            "expected a row as baseline, got '1-1-1-'; did you mean '1-1-1-0'?");
  EXPECT_EQ(refusal({.rows = {"model.code", "optim.lr"}}), "");
}

}  // namespace results
