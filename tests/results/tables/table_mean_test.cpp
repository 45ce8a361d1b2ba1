// table_mean.cpp: the mean over columns; table_published.cpp: the paper's.
#include <gtest/gtest.h>

#include <cmath>

#include "lcsm/base/words.h"
#include "results/tables/table_formats.h"
#include "results/tables/table_steps.h"
#include "tests/results/fixture.h"

namespace results {
namespace {

Sample done(const std::string& id, const std::string& seed, double value) {
  return {id, seed, RunState::kDone, "c", value};
}

TableCell cell_of(const std::string& task, std::vector<Sample> samples) {
  TableCell cell;
  std::vector<double> values;
  for (const Sample& sample : samples)
    if (sample.value) values.push_back(*sample.value);
  cell.samples = std::move(samples);
  cell.statistics = statistics_of(values);
  cell.task = task;
  cell.machine = "a";
  return cell;
}

TableSpec spec() {
  TableSpec spec;
  spec.columns = {"task.name"};
  spec.values = {"test.accuracy"};
  spec.mean = true;
  return spec;
}

Table accuracies() {
  Table table;
  table.row_keys = {"model.code"};
  table.column_keys = {"task.name"};
  table.columns = {{{"text"}, "test.accuracy"}, {{"image"}, "test.accuracy"}};
  table.rows = {{"s4"}, {"mega"}};
  table.cells = {{cell_of("text", {done("1", "1", 0.5), done("2", "2", 0.7)}),
                  cell_of("image", {done("3", "1", 0.1), done("4", "2", 0.5)})},
                 {cell_of("text", {done("5", "1", 0.9), done("6", "2", 0.8)}), TableCell()}};
  table.cells[1][1].marks = {Mark::kMissing};
  return table;
}

TEST(TableMean, IsThatOfEachSeed) {
  Table table = accuracies();
  table.cells[0][0].scale = scale_of("test.accuracy", 100);
  table.cells[0][1].scale = scale_of("test.accuracy", 500);
  table.cells[0][1].samples[1].commit = "d";
  add_mean_columns(&table, spec());
  ASSERT_EQ(table.columns.size(), 3u);
  EXPECT_EQ(header_of(table, table.columns[2]), "mean test.accuracy");
  const TableCell& mean = table.cells[0][2];
  ASSERT_EQ(mean.samples.size(), 2u);
  EXPECT_DOUBLE_EQ(*mean.samples[0].value, 0.3);
  EXPECT_DOUBLE_EQ(*mean.samples[1].value, 0.6);
  EXPECT_EQ(mean.samples[0].id, "1, 3");
  EXPECT_DOUBLE_EQ(mean.statistics.mean, 0.45);
  EXPECT_NEAR(mean.statistics.sd, 0.3 / std::sqrt(2.0), 1e-15);
  EXPECT_EQ(mean.scale.examples, 200) << "twice the fewest";
  EXPECT_EQ(mean.samples[0].commit, "c");
  EXPECT_EQ(mean.samples[1].commit, "") << "of two programs";
  EXPECT_EQ(mean.task, "image, text");
  EXPECT_EQ(signs_of(mean), "");
}

TEST(TableMean, OfFewerColumnsIsMarkedAndNotComparedWithOthers) {
  Table table = accuracies();
  add_mean_columns(&table, spec());
  const TableCell& mean = table.cells[1][2];
  EXPECT_DOUBLE_EQ(mean.statistics.mean, 0.85);
  EXPECT_EQ(signs_of(mean), "m");
  judge(&table, spec());
  EXPECT_FALSE(table.cells[0][2].best || table.cells[1][2].best);
}

// Length 64 is easier: a row without length 16 would lead by that alone.
TEST(TableMean, OfUnlikeColumnsOfOneTaskIsNotCompared) {
  Table table = accuracies();
  table.column_keys = {"task.length"};
  table.columns = {{{"64"}, "test.accuracy"}, {{"16"}, "test.accuracy"}};
  table.cells[0][1].task = "text";
  TableSpec by_length = spec();
  by_length.columns = table.column_keys;
  by_length.baseline = "s4";
  add_mean_columns(&table, by_length);
  EXPECT_EQ(table.cells[0][2].task, table.cells[1][2].task);
  judge(&table, by_length);
  EXPECT_FALSE(table.cells[0][2].best || table.cells[1][2].best);
  EXPECT_TRUE(table.cells[1][0].difference);
  EXPECT_FALSE(table.cells[1][2].difference);
  EXPECT_EQ(note_texts(table)[0],
            "mean: of each seed, over the columns in which its row has runs; compared if these are "
            "the same");
}

// Seed 1 twice in one column and nowhere else: as many values as columns, but from one column.
TEST(TableMean, NeedsEveryColumnOfASeedOnce) {
  Table table = accuracies();
  table.cells[0][0].samples[1].seed = "1";
  table.cells[0][1].samples.erase(table.cells[0][1].samples.begin());
  add_mean_columns(&table, spec());
  for (const Sample& sample : table.cells[0][2].samples) EXPECT_FALSE(sample.value);
  EXPECT_EQ(table.cells[0][2].statistics.n, 0);
}

TEST(TableMean, NeedsEveryColumnOfASeed) {
  Table table = accuracies();
  table.cells[0][1].samples[1].value.reset();  // seed 2 of image
  table.cells[0][1].samples[1].state = RunState::kFailed;
  add_mean_columns(&table, spec());
  const TableCell& mean = table.cells[0][2];
  EXPECT_DOUBLE_EQ(mean.statistics.mean, 0.3);
  EXPECT_EQ(mean.statistics.n, 1);
  EXPECT_EQ(mean.samples[1].state, RunState::kFailed);
  EXPECT_EQ(signs_of(mean), "p");
}

TEST(TableMean, OfACellWithoutAMeanIsNone) {
  Table table = accuracies();
  table.cells[0][0].statistics = statistics_of({});  // speeds of unlike machines
  table.cells[0][0].marks = {Mark::kMachines};
  add_mean_columns(&table, spec());
  EXPECT_EQ(table.cells[0][2].statistics.n, 0);
  EXPECT_EQ(signs_of(table.cells[0][2]), "p,u");
}

TEST(TableMean, OfSeveralValuesHasAColumnForEach) {
  Table table = accuracies();
  table.columns = {{{"text"}, "test.accuracy"}, {{"text"}, "params"}};
  TableSpec two = spec();
  two.values = {"test.accuracy", "params"};
  add_mean_columns(&table, two);
  ASSERT_EQ(table.columns.size(), 4u);
  EXPECT_EQ(table.columns[3].value, "params");
  EXPECT_DOUBLE_EQ(table.cells[0][3].statistics.mean, 0.3) << "of one column is that column";
}

TEST(TableMean, HasNoColumnOfChosenValues) {
  Table table = accuracies();
  table.tuned = {"optim.lr"};
  for (auto& row : table.cells)
    for (TableCell& cell : row) cell.chosen = "optim.lr=0.1";
  add_mean_columns(&table, spec());
  EXPECT_EQ(lcsm::joined(shown(table).headers),
            "model.code, text test.accuracy, text lr, image test.accuracy, image lr, "
            "mean test.accuracy");
}

TEST(TableMean, WithoutColumnsIsRefused) {
  Table table = accuracies();
  TableSpec none = spec();
  none.columns.clear();
  EXPECT_THROW(add_mean_columns(&table, none), std::invalid_argument);
}

Table table_of_papers(const std::vector<std::string>& tasks) {
  Table table;
  table.row_keys = {"model.code"};
  table.column_keys = {"task.name"};
  table.rows = {{"etsmlp"}};
  table.cells.resize(1);
  for (const std::string& task : tasks) {
    table.columns.push_back({{task}, "test.accuracy"});
    table.cells[0].push_back(cell_of(task, {done("1", "1", 0.5)}));
  }
  add_mean_columns(&table, spec());
  add_published(&table, "etsmlp/table1-lra", kTestRoles, spec());
  return table;
}

TEST(TableMean, OfAllTasksStandsBesideThePapers) {
  const Table table = table_of_papers(
      {"lra-listops", "lra-text", "lra-retrieval", "lra-image", "lra-pathfinder", "lra-pathx"});
  ASSERT_TRUE(table.cells[0].back().published);
  EXPECT_DOUBLE_EQ(*table.cells[0].back().published, 0.8092);
}

TEST(TableMean, OfSomeTasksDoesNot) {
  const Table table = table_of_papers({"lra-listops", "lra-text"});
  EXPECT_TRUE(table.cells[0][0].published);
  EXPECT_FALSE(table.cells[0].back().published);
}

}  // namespace
}  // namespace results
