// Planned runs that do not exist, in a table.
#include <gtest/gtest.h>

#include <cmath>

#include "results/store/fold.h"
#include "results/store/store.h"
#include "results/tables/table.h"
#include "tests/results/fixture.h"

namespace results {
namespace {

NamedRun planned(const FixtureRun& run) {
  const RunLine line = run_line(run);
  return {line.run, line.parameters};
}

class Planned : public testing::Test {
 protected:
  void have(const FixtureRun& run) {
    write_run(scratch.path(), run);
    want(run);
  }
  void want(const FixtureRun& run) { spec.scope.planned.push_back(planned(run)); }
  Table made() {
    fold(scratch.path());
    return make_table(*open_for_reading(scratch.path()), kTestRoles, spec);
  }
  static bool has(const TableCell& cell, Mark mark) {
    return std::find(cell.marks.begin(), cell.marks.end(), mark) != cell.marks.end();
  }

  Scratch scratch;
  TableSpec spec{.rows = {"model.code"}, .values = {"valid.ppl"}};
};

}  // namespace

TEST_F(Planned, MissingRunsAreRowsAndMarks) {
  have({.number = 1, .code = "1-1-1-0"});
  want({.number = 2, .code = "1-9-1-0"});
  const Table table = made();
  ASSERT_EQ(table.rows.size(), 2u);
  EXPECT_EQ(table.cells[0][0].statistics.mean, 24);
  const TableCell& cell = table.cells[1][0];
  EXPECT_TRUE(std::isnan(cell.statistics.mean));
  EXPECT_EQ(cell.marks, std::vector<Mark>{Mark::kMissing});
  EXPECT_EQ(cell.samples.at(0).id, run_id(2));
  EXPECT_EQ(cell.samples.at(0).state, RunState::kNew);
}

// Evaluations after training are yet to come.
TEST_F(Planned, AMissingRunIsAtTheLengthOfItsTraining) {
  have({.number = 1, .more = {{"task.length", std::int64_t{64}}}});
  want({.number = 2, .seed = 2, .more = {{"task.length", std::int64_t{64}}}});
  spec.columns = {"@task.length"};
  const Table table = made();
  ASSERT_EQ(table.columns.size(), 1u);
  EXPECT_EQ(table.columns[0].labels, std::vector<std::string>{"64"});
  EXPECT_TRUE(has(table.cells[0][0], Mark::kMissing));
  spec.columns = {"@system.chunk"};
  EXPECT_EQ(made().columns[0].labels, std::vector<std::string>{"as trained"});
  EXPECT_EQ(made().columns.size(), 1u);
}

TEST_F(Planned, BeforeTheFirstEvaluationCellsHaveOnlyMarks) {
  have({.number = 1, .valid = {}, .test = std::nan(""), .status = "running"});
  have({.number = 2, .code = "1-9-1-0", .valid = {}, .test = std::nan(""), .status = "diverged"});
  spec.values = {};
  spec.scope.expected = {"valid.ppl", "test.ppl"};
  const Table table = made();
  ASSERT_EQ(table.columns.size(), 2u);
  EXPECT_EQ(table.columns[1].value, "test.ppl");
  EXPECT_TRUE(has(table.cells[0][0], Mark::kRunning) && has(table.cells[0][0], Mark::kPartly));
  EXPECT_TRUE(has(table.cells[1][1], Mark::kDiverged));
  spec.values = {"valid.loss"};
  EXPECT_THROW(made(), std::invalid_argument);  // no run will report it
  spec.scope.expected = {};
  EXPECT_EQ(made().columns.size(), 1u);  // one may
  spec.values = {"valid.los"};
  EXPECT_THROW(made(), std::invalid_argument);
}

TEST_F(Planned, ADoneRunHasReportedAllItsMetrics) {
  have({.number = 1});
  spec.values = {"valid.loss"};
  EXPECT_THROW(made(), std::invalid_argument);
}

TEST_F(Planned, AMissingSeedIsMarkedEvenIfNoOtherCellHasIt) {
  have({.number = 1, .seed = 1});
  want({.number = 2, .seed = 2});
  const Table table = made();
  EXPECT_EQ(table.cells[0][0].statistics.n, 1);
  EXPECT_TRUE(has(table.cells[0][0], Mark::kMissing));
}

TEST_F(Planned, NoLearningRateIsChosenAmongMissingRuns) {
  have({.number = 1, .lr = 1e-3});
  for (int i = 0; i < 3; ++i)
    want({.number = 2 + i, .code = "1-9-1-0", .lr = std::vector{1e-3, 1e-2, 1e-1}[i]});
  const TableCell cell = made().cells[1][0];
  EXPECT_EQ(cell.chosen, "");
  EXPECT_EQ(cell.marks, std::vector<Mark>{Mark::kMissing});
}

TEST_F(Planned, AChoiceOfTheLearningRateWaitsForAllOfThem) {
  have({.number = 1, .lr = 1e-3});
  want({.number = 2, .lr = 1e-2});
  const TableCell cell = made().cells[0][0];
  EXPECT_EQ(cell.chosen, "optim.lr=0.001");
  EXPECT_TRUE(has(cell, Mark::kPending));
  EXPECT_FALSE(has(cell, Mark::kMissing));
  write_run(scratch.path(), {.number = 2, .lr = 1e-2, .valid = {20}});
  EXPECT_EQ(made().cells[0][0].chosen, "optim.lr=0.01");
  EXPECT_FALSE(has(made().cells[0][0], Mark::kPending));
}

TEST_F(Planned, RunsThatBeganArePreferredToThoseThatDidNot) {
  want({.number = 1, .lr = 1e-3});
  have({.number = 2, .lr = 1e-2, .valid = {20}, .status = "running"});
  EXPECT_EQ(made().cells[0][0].statistics.mean, 20);
  have({.number = 3, .lr = 1e-1});
  EXPECT_EQ(made().cells[0][0].statistics.mean, 24) << "a run that is done is preferred to both";
}

TEST_F(Planned, PlannedRunsAloneMakeATable) {
  want({.number = 1, .code = "1-1-1-0"});
  want({.number = 2, .code = "1-9-1-0"});
  EXPECT_EQ(made().rows.size(), 2u);
}

}  // namespace results
