// table_relative.cpp: quotients by a named row, and values that depend on the machine.
#include <gtest/gtest.h>

#include "results/tables/table_steps.h"

namespace results {
namespace {

TableCell table_relative_cell_of(double mean, const std::string& machine) {
  TableCell cell;
  cell.statistics = statistics_of({mean});
  cell.machine = machine;
  return cell;
}

Table speeds() {
  Table table;
  table.row_keys = {"model.code"};
  table.columns = {{{}, "time.tokens_per_second"}};
  table.rows = {{"transformer"}, {"etsmlp"}, {"s4"}};
  table.cells = {{table_relative_cell_of(200, "a")},
                 {table_relative_cell_of(700, "a")},
                 {table_relative_cell_of(900, "b")}};
  return table;
}

// The cell of two runs on these machines.
TableCell cell_on(const std::string& first, const std::string& second, const std::string& value) {
  TableRuns all;
  all.roles.seed = "seed";
  all.roles.task = "task";
  all.agree[""] = {};
  TableRun one{"1", RunState::kDone, "", 0, {{"seed", "1"}}, {{value, 1}}, {}, "", first};
  TableRun two{"2", RunState::kDone, "", 0, {{"seed", "2"}}, {{value, 3}}, {}, "", second};
  return make_cell({{&one, &two}, ""}, value, all, {});
}

TEST(TableRelative, DividesByTheNamedRowOfTheSameMachine) {
  Table table = speeds();
  compare_with_rows(&table, {.relative = "transformer"});
  EXPECT_EQ(table.cells[0][0].ratio, 1);
  EXPECT_EQ(table.cells[1][0].ratio, 3.5);
  EXPECT_FALSE(table.cells[2][0].ratio);
  ASSERT_EQ(table.notes.size(), 1u);
  table.columns[0].value = "params";
  compare_with_rows(&table, {.relative = "transformer"});
  EXPECT_EQ(table.cells[2][0].ratio, 4.5);
}

TEST(TableRelative, SubtractsSpeedsOfOneMachineOnly) {
  Table table = speeds();
  compare_with_rows(&table, {.baseline = "transformer"});
  EXPECT_EQ(table.cells[1][0].difference, 500);
  EXPECT_FALSE(table.cells[2][0].difference);
  table.columns[0].value = "test.ppl";
  compare_with_rows(&table, {.baseline = "transformer"});
  EXPECT_EQ(table.cells[2][0].difference, 700);
  Table tasks = table;
  tasks.cells[0][0].task = "mqar";
  for (auto& row : tasks.cells) row[0].difference.reset();
  compare_with_rows(&tasks, {.baseline = "transformer", .relative = "transformer"});
  EXPECT_EQ(tasks.cells[0][0].difference, 0);
  EXPECT_FALSE(tasks.cells[2][0].difference || tasks.cells[2][0].ratio) << "of another task";
  table.cells[0][0].statistics = statistics_of({0});
  compare_with_rows(&table, {.relative = "transformer"});
  EXPECT_FALSE(table.cells[1][0].ratio) << "of zero";
}

// By hand: seeds 2 and 3 are common, and no seed of the third row is.
TEST(TableRelative, SubtractsOverCommonSeedsWhereSeedsDiffer) {
  const auto cell = [](const std::vector<std::pair<std::string, double>>& values) {
    TableCell out;
    std::vector<double> all;
    for (const auto& [seed, value] : values) {
      out.samples.push_back({"id" + seed, seed, RunState::kDone, "", value});
      all.push_back(value);
    }
    out.statistics = statistics_of(all);
    return out;
  };
  Table table;
  table.row_keys = {"model.code"};
  table.columns = {{{}, "test.ppl"}};
  table.rows = {{"a"}, {"b"}, {"c"}, {"d"}, {"e"}};
  table.cells = {{cell({{"1", 10}, {"2", 20}, {"3", 30}})},
                 {cell({{"2", 21}, {"3", 32}, {"4", 100}})},
                 {cell({{"7", 24}, {"8", 28}})},
                 {cell({{"1", 11}, {"2", 22}, {"3", 33}})},
                 {cell({{"1", 11}, {"2", 24}})}};
  compare_with_rows(&table, {.baseline = "a"});
  EXPECT_EQ(table.cells[0][0].difference, 0);
  EXPECT_EQ(table.cells[1][0].difference, 1.5);
  EXPECT_EQ(table.cells[2][0].difference, 6);
  EXPECT_EQ(table.cells[3][0].difference, 2);
  EXPECT_EQ(table.cells[4][0].difference, 2.5);
  ASSERT_EQ(table.notes.size(), 1u);
  EXPECT_EQ(table.notes[0].parts[0].text,
            "minus baseline: over common seeds, where rows have different ones; of the means where "
            "no seeds can be paired");
  compare_with_rows(&table, {.baseline = "e"});
  EXPECT_EQ(table.cells[0][0].difference, -2.5);
}

TEST(TableRelative, ComparesWhatTheTableShows) {
  Table table = speeds();
  table.statistic = Statistic::kIqm;
  table.columns[0].value = "test.ppl";
  table.cells[0][0].estimate = {100, 90, 110};
  table.cells[1][0].estimate = {400, 390, 410};
  compare_with_rows(&table, {.baseline = "transformer", .relative = "transformer"});
  EXPECT_EQ(table.cells[1][0].difference, 300);
  EXPECT_EQ(table.cells[1][0].ratio, 4);
  EXPECT_EQ(table.notes.size(), 1u) << "no pairs of seeds";
}

// Both rows ran on machines a and b, but in different columns.
TEST(TableRelative, MeansOfColumnsAreOfTheMachinesOfTheseColumns) {
  Table table;
  table.row_keys = {"model.code"};
  table.column_keys = {"task.length"};
  table.rows = {{"transformer"}, {"s4"}, {"h3"}, {"dss"}};
  for (const char* length : {"16", "32"})
    table.columns.push_back({{length}, "time.tokens_per_second"});
  for (const char* machines : {"ab", "ba", "ab", "aa"}) {
    auto& row = table.cells.emplace_back();
    for (const char machine : std::string(machines)) {
      row.push_back(table_relative_cell_of(200, {machine}));
      row.back().samples = {{"1", "1", RunState::kDone, "", 200}};
    }
  }
  add_mean_columns(&table,
                   {.columns = {"task.length"}, .values = {table.columns[0].value}, .mean = true});
  compare_with_rows(&table, {.relative = "transformer"});
  EXPECT_FALSE(table.cells[1][2].ratio);
  EXPECT_EQ(table.cells[2][2].ratio, 1);
  EXPECT_FALSE(table.cells[3][2].ratio);
  note_machines(&table);
  EXPECT_EQ(table.notes.back().parts[0].text, "speed and memory: of a; b");
}

TEST(TableRelative, SaysOfWhichMachinesSpeedsAre) {
  Table table = speeds();
  note_machines(&table);
  ASSERT_EQ(table.notes.size(), 1u);
  EXPECT_EQ(table.notes[0].parts[0].text, "speed and memory: of a; b");
  table.columns[0].value = "test.accuracy";
  table.notes.clear();
  note_machines(&table);
  EXPECT_TRUE(table.notes.empty());
}

TEST(TableRelative, SaysWhatWasMeantByARowThatThereIsNot) {
  Table table = speeds();
  EXPECT_THROW(compare_with_rows(&table, {.relative = "transfomer"}), std::invalid_argument);
}

TEST(TableRelative, SpeedsOfUnlikeMachinesHaveNoMean) {
  const TableCell unlike = cell_on("a", "b", "time.tokens_per_second");
  EXPECT_EQ(unlike.statistics.n, 0);
  EXPECT_EQ(signs_of(unlike), "u");
  Table table = speeds();
  table.cells[0][0] = unlike;
  add_notes(&table);
  ASSERT_EQ(table.notes.size(), 1u);
  EXPECT_EQ(table.notes[0].parts[0].sign, "u");
  EXPECT_EQ(cell_on("a", "a", "time.tokens_per_second").statistics.mean, 2);
  EXPECT_EQ(cell_on("a", "b", "test.accuracy").statistics.mean, 2);
  EXPECT_EQ(cell_on("a", "b", "test.accuracy").machine, "");
}

}  // namespace
}  // namespace results
