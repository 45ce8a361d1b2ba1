// table.cpp and its steps: the numbers of cells, and their marks.
#include "results/tables/table.h"

#include <gtest/gtest.h>

#include <array>
#include <cmath>
#include <set>
#include <stdexcept>

#include "lcsm/base/words.h"
#include "results/events/event_writer.h"
#include "results/store/fold.h"
#include "results/store/store.h"
#include "results/tables/table_formats.h"
#include "results/tables/table_steps.h"
#include "tests/message_of.h"
#include "tests/results/fixture.h"

namespace results {
namespace {

class Tables : public testing::Test {
 protected:
  Table made(const TableSpec& spec) {
    fold(scratch.path());
    return make_table(*open_for_reading(scratch.path()), kTestRoles, spec);
  }
  Table of_marks() {
    marked_runs(scratch.path());
    return made({.sweep = "marks", .rows = {"model.code"}});
  }
  std::string refusal(const TableSpec& spec) {
    return message_of<std::invalid_argument>([&] { made(spec); });
  }
  void run(int number, const std::string& code, double lr, int seed, double valid, double test) {
    write_run(
        scratch.path(),
        {.number = number, .code = code, .lr = lr, .seed = seed, .valid = {valid}, .test = test});
  }

  Scratch scratch;
};

const TableCell& cell(const Table& table, std::string_view row, std::string_view value) {
  for (std::size_t r = 0; r < table.rows.size(); ++r)
    for (std::size_t c = 0; c < table.columns.size(); ++c)
      if (table.rows[r][0] == row && table.columns[c].value == value) return table.cells[r][c];
  throw std::invalid_argument(std::string(row) + " " + std::string(value));
}

std::string signs(const TableCell& cell) {
  std::string out;
  for (const Mark mark : cell.marks) out += kMarks[static_cast<std::size_t>(mark)].sign;
  return out;
}

}  // namespace

// A single seed, or the test metric, would choose another rate.
TEST_F(Tables, SelectOnTheMeanOverSeedsOfTheValidationMetric) {
  run(1, "1-1-1-0", 0.1, 1, 20, 30);
  run(2, "1-1-1-0", 0.1, 2, 24, 30);
  run(3, "1-1-1-0", 0.2, 1, 21, 40);
  run(4, "1-1-1-0", 0.2, 2, 21.5, 42);
  const Table table = made({});
  EXPECT_EQ(cell(table, "1-1-1-0", "test.ppl").statistics.mean, 41);
  EXPECT_EQ(cell(table, "1-1-1-0", "valid.ppl").chosen, "optim.lr=0.2");
  EXPECT_EQ(signs(cell(table, "1-1-1-0", "valid.ppl")), "e");
  run(5, "1-1-1-0", 0.3, 1, 21, 1);
  run(6, "1-1-1-0", 0.3, 2, 21.5, 1);
  const Table tied = made({});
  EXPECT_EQ(cell(tied, "1-1-1-0", "valid.ppl").chosen, "optim.lr=0.2") << "of equals, the first";
  EXPECT_EQ(signs(cell(tied, "1-1-1-0", "valid.ppl")), "");
}

TEST_F(Tables, SelectionPrefersTheRateWhoseSeedsAreAllDone) {
  run(1, "1-1-1-0", 0.1, 1, 20, 30);
  run(2, "1-1-1-0", 0.2, 1, 22, 40);
  run(3, "1-1-1-0", 0.2, 2, 22, 40);
  EXPECT_EQ(cell(made({}), "1-1-1-0", "valid.ppl").chosen, "optim.lr=0.2");
  for (const std::string status : {"diverged", "failed"}) {  // without the fault, 0.1 might win
    write_run(scratch.path(), {.number = 4, .lr = 0.1, .seed = 2, .valid = {9}, .status = status});
    EXPECT_EQ(signs(cell(made({}), "1-1-1-0", "valid.ppl")), status == "failed" ? "et" : "e");
    std::filesystem::remove_all(run_folder(scratch.path(), run_id(4)));
  }
}

TEST_F(Tables, HaveTheRunsWithOneOfAList) {
  run(1, "1-1-1-0", 0.1, 1, 20, 30);
  run(2, "1-2-1-0", 0.1, 1, 22, 40);
  run(3, "1-3-1-0", 0.1, 1, 22, 40);
  EXPECT_EQ(made({.where = {{"model.code", "[1-1-1-0, \"1-3-1-0\"]"}}}).rows.size(), 2u);
  EXPECT_EQ(made({.where = {{"optim.lr", "[1e-1]"}}}).rows.size(), 3u);
  EXPECT_EQ(refusal({.where = {{"model.code", "[1-9-1-0]"}}}),
            "expected runs with model.code = '[1-9-1-0]', got none; these runs have 1-1-1-0, "
            "1-2-1-0, 1-3-1-0");
  EXPECT_EQ(refusal({.where = {{"model.code", "1-1-1-0,1-2-1-0"}}}),
            "expected runs with model.code = '1-1-1-0,1-2-1-0', got none; a list is written "
            "[1-1-1-0,1-2-1-0]");
}

TEST_F(Tables, SayThatATestIsOfAnEarlierStepThanTheValidationBesideIt) {
  const auto notes = [&](const std::vector<std::string>& values) {
    return lcsm::joined(note_texts(made({.values = values})), "\n");
  };
  const std::string note = "test.ppl: at each run's best step; valid.ppl: at its last";
  write_run(scratch.path(), {.number = 1, .valid = {30, 24}, .tested_at = 200});
  EXPECT_EQ(notes({"valid.ppl", "test.ppl"}).find(note), std::string::npos);
  write_run(scratch.path(), {.number = 2, .seed = 2, .valid = {24, 30}, .tested_at = 100});
  EXPECT_NE(notes({"valid.ppl", "test.ppl"}).find(note), std::string::npos);
  EXPECT_EQ(notes({"valid.ppl@best", "test.ppl"}).find("best step"), std::string::npos);
  write_run(scratch.path(), {.number = 3, .seed = 3, .valid = {24, 30}, .tested_at = 200});
  EXPECT_NE(notes({"valid.ppl@best", "test.ppl", "valid.ppl"})
                .find(note + "; valid.ppl@best: at its own best"),
            std::string::npos);
}

TEST_F(Tables, RefuseAListWithAValueThatNoRunHas) {
  run(1, "1-1-1-0", 0.1, 1, 20, 30);
  run(2, "1-2-1-0", 0.1, 1, 22, 40);
  Condition either{"model.code", "[1-1-1-0, 1-9-1-0]"};
  EXPECT_EQ(
      refusal({.where = {either}}),
      "expected runs with model.code = '1-9-1-0', got none; these runs have 1-1-1-0, 1-2-1-0");
  either.of_file = true;
  EXPECT_EQ(made({.where = {either}}).rows.size(), 1u);
}

TEST_F(Tables, HaveTheRunsWithOneOfAListOfCodesWithOptions) {
  run(1, "1-1-1-0@tau=8,r=4", 0.1, 1, 20, 30);
  run(2, "mamba@state=4,taps=2", 0.1, 1, 22, 40);
  run(3, "1-3-1-0", 0.1, 1, 22, 40);
  EXPECT_EQ(made({.where = {{"model.code", "[1-1-1-0@tau=8,r=4, 1-3-1-0]"}}}).rows.size(), 2u);
  EXPECT_EQ(made({.where = {{"model.code", "[\"1-3-1-0\",\"mamba@state=4,taps=2\"]"}}}).rows.size(),
            2u);
}

TEST_F(Tables, NeverSelectOnTheTestMetric) {
  run(1, "1-1-1-0", 0.1, 1, 20, 30);
  EXPECT_TRUE(refusal({.tuned = {"optim.lr"}, .by = "test.ppl"})
                  .starts_with("expected a validation metric to select by, got 'test.ppl'"));
}

TEST_F(Tables, NeverSelectASeed) {
  run(1, "1-1-1-0", 0.1, 1, 20, 30);
  run(2, "1-1-1-0", 0.1, 2, 21, 31);
  EXPECT_EQ(refusal({.tuned = {"optim.lr", "seed"}}),
            "expected parameters to tune, got 'seed': the best seed is luck; make it a row to see "
            "each");
}

TEST_F(Tables, HaveNoMeanOverTheSeedsAsColumns) {
  run(1, "1-1-1-0", 0.1, 1, 20, 30);
  EXPECT_EQ(
      refusal({.columns = {"seed"}, .mean = true}),
      "expected columns to take the mean over, got 'seed': the mean is taken for each seed; choose "
      "other columns, or no mean");
}

TEST_F(Tables, EveryMarkHasItsReason) {
  const Table table = of_marks();
  const std::vector<std::pair<std::string, std::string>> wanted = {
      {"1-0-1-0", ""},     {"1-1-1-0", ""},   {"1-2-1-0", "en"}, {"1-3-1-0", "mn"},
      {"1-4-1-0", "fn"},   {"1-5-1-0", "on"}, {"1-6-1-0", "dn"}, {"1-7-1-0", "rn"},
      {"1-8-1-0", "ietn"}, {"1-9-1-0", "v"},  {"1-10-1-0", "bc"}};
  for (const auto& [code, marks] : wanted)
    EXPECT_EQ(signs(cell(table, code, "valid.ppl")), marks) << code;
  EXPECT_EQ(signs(cell(table, "1-11-1-0", "valid.ppl")), "bsxc");
  EXPECT_EQ(signs(cell(table, "1-11-1-0", "test.ppl")), "bsxpc");
}

// of_marks() has budgets in steps; here are the others, and a mixture.
TEST_F(Tables, BudgetsOfEveryKindAreMarked) {
  const auto budget = [](const char* key, std::int64_t value) {
    return Values{{"optim.steps", std::int64_t{0}}, {key, value}};
  };
  const auto have = [&](int number, const std::string& code, int seed, const Values& more) {
    write_run(scratch.path(), {.number = number, .code = code, .seed = seed, .more = more});
  };
  have(1, "1-0-1-0", 1, budget("optim.epochs", 8));
  have(2, "1-0-1-0", 2, budget("optim.epochs", 8));
  have(3, "1-1-1-0", 1, budget("optim.epochs", 8));
  have(4, "1-1-1-0", 2, budget("optim.epochs", 64));
  have(5, "1-2-1-0", 1, budget("optim.tokens", 1000));
  have(6, "1-2-1-0", 2, budget("optim.tokens", 2000));
  have(7, "1-3-1-0", 1, budget("optim.epochs", 8));
  have(8, "1-3-1-0", 2, budget("optim.tokens", 1000));
  const Table table = made({.rows = {"model.code"}, .values = {"valid.ppl"}});
  EXPECT_EQ(signs(cell(table, "1-0-1-0", "valid.ppl")), "");
  for (const char* code : {"1-1-1-0", "1-2-1-0", "1-3-1-0"})
    EXPECT_EQ(signs(cell(table, code, "valid.ppl")), "b") << code;
}

// Another program's keys: two seeds at two rates; the better rate is chosen.
TEST_F(Tables, KnowParametersByTheirRolesOnly) {
  static constexpr std::array<std::string_view, 1> kDays = {"days"}, kNet = {"net"};
  const Roles roles = {"rng", "step_size", "", kDays, "corpus", kNet};
  int number = 0;
  for (const double rate : {0.1, 0.2})
    for (const std::int64_t rng : {1, 2})
      write_run(scratch.path(), {.number = ++number,
                                 .valid = {30 - 10 * rate},
                                 .more = {{"rng", rng}, {"step_size", rate}, {"days", rng}}});
  fold(scratch.path());
  const Table table = make_table(*open_for_reading(scratch.path()), roles, {});
  EXPECT_EQ(table.row_keys, std::vector<std::string>{"days"});
  const Table net = make_table(*open_for_reading(scratch.path()), roles, {.rows = {"net"}});
  const TableCell& only = net.cells.at(0).at(0);
  EXPECT_EQ(only.chosen, "step_size=0.2");
  EXPECT_EQ(only.samples.at(1).seed, "2");
  EXPECT_EQ(signs(only), "eb");
}

TEST_F(Tables, OnlyRunsThatAreDoneAreAveraged) {
  const Table table = of_marks();
  for (const char* code : {"1-4-1-0", "1-5-1-0", "1-6-1-0", "1-7-1-0", "1-8-1-0"}) {
    const TableCell& here = cell(table, code, "valid.ppl");
    EXPECT_EQ(here.statistics.n, 2) << code;
    EXPECT_EQ(here.samples.size(), 3u) << code;  // the third is listed, without a value
  }
}

TEST_F(Tables, IfNoneIsDoneARunningRunIsShownAndAFailedOneIsNot) {
  write_run(scratch.path(), {.number = 1, .code = "a", .status = "running"});
  write_run(scratch.path(), {.number = 2, .code = "b", .status = "failed"});
  const Table table = made({.rows = {"model.code"}, .values = {"valid.ppl"}});
  EXPECT_EQ(cell(table, "a", "valid.ppl").statistics.mean, 24);
  EXPECT_TRUE(std::isnan(cell(table, "b", "valid.ppl").statistics.mean));
}

TEST_F(Tables, ShowThePublishedNumberOnlyForTheSameTask) {
  const Table table = of_marks();
  EXPECT_EQ(cell(table, "1-9-1-0", "test.ppl").published, 24.54);
  write_run(scratch.path(), {.number = 1, .code = "1-9-1-0", .sweep = "other"});
  EXPECT_FALSE(
      cell(made({.sweep = "other", .rows = {"model.code"}}), "1-9-1-0", "test.ppl").published);
}

TEST_F(Tables, ReduceSortFilterAndCompare) {
  marked_runs(scratch.path());
  const Table table = made({.sweep = "marks",
                            .rows = {"model.code"},
                            .values = {"valid.ppl@best", "valid.ppl"},
                            .where = {{"optim.lr", "0.003"}},
                            .sort = "valid.ppl",
                            .baseline = "1-0-1-0"});
  EXPECT_EQ(table.rows[0][0], "1-1-1-0");
  EXPECT_EQ(table.rows.size(), 12u);
  EXPECT_EQ(cell(table, "1-1-1-0", "valid.ppl@best").statistics.mean, 23.125);
  EXPECT_EQ(cell(table, "1-1-1-0", "valid.ppl").difference, -2);
  EXPECT_TRUE(cell(table, "1-1-1-0", "valid.ppl").best);
}

// The best rate of a text task has the lowest valid.ppl, which the other task does not report.
TEST_F(Tables, EachTaskChoosesByItsOwnMetric) {
  int number = 0;
  for (const double lr : {1e-3, 1e-2})
    for (const std::int64_t seed : {1, 2}) {
      const double off = lr == 1e-2 ? 1 : 0;
      write_run(scratch.path(), {.number = ++number,
                                 .task = "mqar",
                                 .lr = lr,
                                 .seed = seed,
                                 .valid = {0.5 + 0.1 * off},
                                 .test = 0.5 + 0.1 * off,
                                 .metric = "accuracy"});
      write_run(scratch.path(), {.number = ++number,
                                 .task = "text",
                                 .lr = lr,
                                 .seed = seed,
                                 .valid = {9 - off},
                                 .test = 9.5 - off});
    }
  const Table table =
      made({.rows = {"task.name"}, .values = {"test.ppl", "test.accuracy"}, .tuned = {"optim.lr"}});
  EXPECT_EQ(cell(table, "text", "test.ppl").chosen, "optim.lr=0.01");
  EXPECT_EQ(cell(table, "text", "test.ppl").statistics.mean, 8.5);
  EXPECT_EQ(cell(table, "mqar", "test.accuracy").chosen, "optim.lr=0.01");
  EXPECT_EQ(cell(table, "mqar", "test.accuracy").statistics.high, 0.6);
  EXPECT_EQ(table.notes[0].parts[0].text,
            "optim.lr = 0.01, chosen by the mean over seeds of valid.accuracy (text: valid.ppl)");
}

TEST_F(Tables, ColumnsSpreadAParameterAndEmptyCellsAreMarked) {
  write_run(scratch.path(),
            {.number = 1, .code = "a", .more = {{"task.length", std::int64_t{64}}}});
  write_run(scratch.path(),
            {.number = 2, .code = "a", .more = {{"task.length", std::int64_t{128}}}});
  write_run(scratch.path(),
            {.number = 3, .code = "b", .more = {{"task.length", std::int64_t{64}}}});
  const Table table = made({.columns = {"task.length"}, .values = {"valid.ppl"}});
  ASSERT_EQ(table.columns.size(), 2u);
  EXPECT_EQ(table.columns[0].labels[0], "64");
  EXPECT_EQ(signs(table.cells[1][1]), "m");
}

TEST_F(Tables, FortyRowsAndThirtyColumns) {
  for (int i = 0; i < 1200; ++i)
    write_run(scratch.path(), {.number = i + 1,
                               .code = "1-" + std::to_string(i / 30) + "-1-0",
                               .valid = {20.0 + i},
                               .more = {{"task.length", std::int64_t{i % 30}}}});
  const Table table = made({.columns = {"task.length"}, .values = {"valid.ppl"}});
  ASSERT_EQ(table.rows.size(), 40u);
  ASSERT_EQ(table.columns.size(), 30u);
  EXPECT_EQ(table.cells[39][29].statistics.mean, 20 + 1199);
}

// A parameter that only some runs have is not a row if a parameter of all runs determines it.
TEST_F(Tables, DefaultRowsLeaveOutWhatFollowsFromOthers) {
  const auto own = [](const char* formula) {
    return Values{{"model.oscillation", std::string(formula)}};
  };
  write_run(scratch.path(), {.number = 1, .code = "1-1-1-0"});
  write_run(scratch.path(), {.number = 2, .code = "1-own-1-0", .more = own("sigmoid(p_d)")});
  EXPECT_EQ(made({}).row_keys, std::vector<std::string>{"model.code"});
  write_run(scratch.path(), {.number = 3, .code = "1-own-1-0", .more = own("sigmoid(p_k)")});
  EXPECT_EQ(made({}).row_keys, (std::vector<std::string>{"model.code", "model.oscillation"}));
}

// The names of a model are one parameter: the first is the row, and rows of two families are
// comparable.
TEST_F(Tables, ARowHasOneNameOfItsModel) {
  for (int seed = 1; seed <= 3; ++seed) {
    const auto of_family = [&](int number, const char* code, const char* family, double ppl) {
      write_run(scratch.path(), {.number = 10 * number + seed,
                                 .code = code,
                                 .seed = seed,
                                 .valid = {ppl + 0.1 * seed},
                                 .more = {{"model.family", std::string(family)}}});
    };
    of_family(1, "1-1-1-0", "eos", 20);
    of_family(2, "mega", "system", 30);
    of_family(3, "s4", "system", 40 + 0.3 * seed);
  }
  const Table table = made({.values = {"valid.ppl"}});
  EXPECT_EQ(table.row_keys, std::vector<std::string>{"model.code"});
  EXPECT_EQ(table.tests.size(), 2u);
  EXPECT_EQ(made({.columns = {"model.code"}}).row_keys, std::vector<std::string>{"task.name"});
  write_run(scratch.path(), {.number = 41,
                             .code = "mega",
                             .valid = {20},
                             .more = {{"model.family", std::string("other")}}});
  EXPECT_EQ(made({}).row_keys, (std::vector<std::string>{"model.code", "model.family"}));
  EXPECT_EQ(shown_name({{"mega@z=8,v=16", "small"}}, "mega@v=16,z=8"), "small");
}

TEST_F(Tables, ParametersMayBeValues) {
  run(1, "1-1-1-0", 0.1, 1, 20, 30);
  EXPECT_EQ(made({.values = {"optim.steps"}}).cells[0][0].statistics.mean, 100);
}

TEST_F(Tables, ParametersThatAreNoNumbersAreShown) {
  run(1, "1-1-1-0", 0.1, 1, 20, 30);
  run(2, "1-2-1-0", 0.1, 2, 20, 30);
  const Table table = made({.rows = {"optim.lr"}, .values = {"valid.ppl", "model.code"}});
  EXPECT_EQ(table.cells[0][1].text, "1-1-1-0, 1-2-1-0");
  EXPECT_EQ(shown(table).rows[0][2].text, "1-1-1-0, 1-2-1-0");
  EXPECT_EQ(signs(table.cells[0][1]).find('p'), std::string::npos);
}

// By hand: one outlier makes the worse mean of the better interquartile mean.
TEST_F(Tables, AreSortedByTheStatisticThatTheyShow) {
  constexpr double kValues[][4] = {{20, 21, 22, 90}, {23, 24, 25, 26}};
  for (int seed = 1; seed <= 4; ++seed) {
    run(seed, "1-9-1-0", 1e-3, seed, kValues[0][seed - 1], 1);
    run(4 + seed, "1-1-1-0", 1e-3, seed, kValues[1][seed - 1], 1);
  }
  TableSpec spec{.rows = {"model.code"}, .values = {"valid.ppl"}, .sort = "valid.ppl"};
  EXPECT_EQ(made(spec).rows[0][0], "1-1-1-0");
  spec.statistic = "iqm";
  const Table table = made(spec);
  EXPECT_EQ(table.rows[0][0], "1-9-1-0");
  EXPECT_TRUE(table.cells[0][0].best);
}

TEST_F(Tables, AreSortedBestFirstByTheMeanOverTheirColumns) {
  int number = 0;
  const auto accuracies = [&](const std::string& code, double easy, double hard) {
    for (const auto& [task, value] : {std::pair("a", easy), std::pair("b", hard)})
      write_run(
          scratch.path(),
          {.number = ++number, .code = code, .task = task, .valid = {value}, .metric = "accuracy"});
  };
  accuracies("1-1-1-0", 0.9, 0.2);
  accuracies("1-2-1-0", 0.8, 0.6);
  accuracies("1-3-1-0", 0.7, 0.1);
  TableSpec spec{.rows = {"model.code"},
                 .columns = {"task.name"},
                 .values = {"valid.accuracy"},
                 .sort = "valid.accuracy"};
  using Labels = std::vector<std::vector<std::string>>;
  EXPECT_EQ(made(spec).rows, (Labels{{"1-1-1-0"}, {"1-2-1-0"}, {"1-3-1-0"}}));
  spec.mean = true;
  EXPECT_EQ(made(spec).rows, (Labels{{"1-2-1-0"}, {"1-1-1-0"}, {"1-3-1-0"}}));
}

TEST_F(Tables, RowsAreInTheOrderOfTheSweepsLists) {
  int number = 0;
  for (const char* code : {"1-1-1-0", "1-9-1-0", "1-10-1-0", "1-2-1-0"}) {
    ++number;
    run(number, code, 0.1, 1, 20 + number, 30);
  }
  TableSpec spec{.rows = {"model.code"},
                 .scope = {.order = {{"model.code", {"1-10-1-0", "1-1-1-0", "absent"}}}}};
  using Labels = std::vector<std::vector<std::string>>;
  EXPECT_EQ(made(spec).rows, (Labels{{"1-10-1-0"}, {"1-1-1-0"}, {"1-2-1-0"}, {"1-9-1-0"}}));
  spec.sort = "valid.ppl";
  EXPECT_EQ(made(spec).rows, (Labels{{"1-1-1-0"}, {"1-9-1-0"}, {"1-10-1-0"}, {"1-2-1-0"}}));
  spec = {.rows = {"seed"}, .columns = {"model.code"}, .scope = spec.scope};
  EXPECT_EQ(made(spec).columns[0].labels, std::vector<std::string>{"1-10-1-0"});
}

TEST_F(Tables, ACellOfOneSeedIsWhole) {
  for (int seed = 1; seed <= 3; ++seed) run(seed, "1-1-1-0", 0.1, seed, 20 + seed, 30);
  EXPECT_EQ(signs(made({.rows = {"model.code", "seed"}}).cells[0][0]), "");
  EXPECT_EQ(signs(made({.rows = {"model.code"}, .columns = {"seed"}}).cells[0][0]), "");
}

TEST_F(Tables, AMeanOverSeveralRunsOfASeedIsNotCalledOneOverSeeds) {
  for (int seed = 1; seed <= 3; ++seed) {
    run(seed, "1-1-1-0", 0.1, seed, 20 + seed, 30);
    run(3 + seed, "1-1-1-0", 0.2, seed, 25 + seed, 30);
  }
  const auto spread = [](const Table& table) { return table.notes.front().parts[0].text; };
  EXPECT_EQ(spread(made({.rows = {"model.code", "optim.lr"}})),
            "standard deviation over 3 seeds (n - 1)");
  EXPECT_EQ(spread(made({.rows = {"model.code"}, .tune_rate = false})),
            "standard deviation over 6 runs (n - 1)");
}

// The gates' JSON is never a label, whether all runs have it or only some.
TEST_F(Tables, GatesOfOnesOwnAreNamedByTheirCode) {
  int number = 0;
  for (const char* code : {"1-mine-1-0", "1-yours-1-0"})
    for (const std::int64_t seed : {1, 2})
      write_run(scratch.path(),
                {.number = ++number,
                 .code = code,
                 .seed = static_cast<int>(seed),
                 .valid = {20},
                 .more = {{"model.oscillation", "{\"gate\":\"" + std::string(code) + "\"}"}}});
  EXPECT_EQ(made({}).row_keys, std::vector<std::string>{"model.code"});
  EXPECT_EQ(signs(made({}).cells[0][0]), "");
}

// By default a table shows only metrics of the remaining runs.
TEST_F(Tables, DefaultValuesAreReportedByTheseRuns) {
  run(1, "1-1-1-0", 0.1, 1, 20, 30);
  const std::filesystem::path other =
      write_run(scratch.path(), {.number = 2, .code = "1-9-1-0", .status = ""});
  {
    EventWriter events(other);
    events.append(MetricsLine{1, {{"valid.accuracy", 0.5}}});
    events.append(EndLine{RunState::kDone, 1, ""});
  }
  const Table table = made({.where = {{"model.code", "1-1-1-0"}}});
  for (const TableColumn& column : table.columns) EXPECT_NE(column.value, "valid.accuracy");
}

TEST_F(Tables, ShowParametersAsTheyAre) {
  run(1, "1-1-1-0", 0.001, 1, 20, 30);
  run(2, "1-1-1-0", 0.001, 2, 20, 30);
  const Table table = made({.rows = {"model.code"}, .values = {"optim.lr", "optim.steps"}});
  const ShownTable all = shown(table);
  EXPECT_EQ(all.rows[0][1].text + all.rows[0][1].sd, "0.001");
  EXPECT_EQ(all.rows[0][2].text, "100");
}

TEST_F(Tables, ShowThreeDigitsOfSmallMeans) {
  run(1, "1-1-1-0", 0.001, 1, 2.3e-6, 0.5);
  run(2, "1-2-1-0", 0.001, 1, 4.5e-5, 0.25);
  const ShownTable all = shown(made({.rows = {"model.code"}, .values = {"valid.ppl", "test.ppl"}}));
  EXPECT_EQ(all.rows[0][1].text, "0.00000230");
  EXPECT_EQ(all.rows[1][1].text, "0.00004500");
  EXPECT_EQ(all.rows[1][2].text, "0.2500");
}

TEST_F(Tables, AnInfiniteValueLeavesTheOthersTheirDecimals) {
  run(1, "1-1-1-0", 0.001, 1, INFINITY, 0.5);
  run(2, "1-2-1-0", 0.001, 1, 24.25, 0.25);
  const ShownTable all = shown(made({.rows = {"model.code"}, .values = {"valid.ppl"}}));
  EXPECT_EQ(all.rows[0][1].text, "inf");
  EXPECT_EQ(all.rows[1][1].text, "24.25");
}

TEST_F(Tables, ProgramsOfOneCommitWithDifferentChangesAreMarked) {
  for (const int seed : {1, 2})
    write_run(scratch.path(),
              {.number = seed, .seed = seed, .diff = "of seed " + std::to_string(seed)});
  EXPECT_EQ(signs(cell(made({.rows = {"model.code"}}), "1-1-1-0", "valid.ppl")), "v");
  write_run(scratch.path(), {.number = 3, .seed = 2, .diff = "of seed 1"});
  const Table same = made({.rows = {"model.code"}, .scope = {.only = {run_id(1), run_id(3)}}});
  EXPECT_EQ(signs(cell(same, "1-1-1-0", "valid.ppl")), "");
}

}  // namespace results
