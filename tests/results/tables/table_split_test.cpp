// Tables over evaluations: "@task.length" as rows or columns, METRIC@KEY=VALUE as a value.
#include <gtest/gtest.h>

#include <array>
#include <cmath>
#include <cstdint>
#include <stdexcept>

#include "lcsm/base/words.h"
#include "results/events/evaluations.h"
#include "results/events/event_writer.h"
#include "results/events/run_folder.h"
#include "results/store/fold.h"
#include "results/store/store.h"
#include "results/tables/table.h"
#include "results/tables/table_formats.h"
#include "results/tables/table_steps.h"
#include "tests/results/fixture.h"

namespace results {
namespace {

constexpr double kNone = -1;

class Evaluated : public testing::Test {
 protected:
  // Two seeds at each rate, trained at length 64. By validation 0.2 is the better rate.
  void SetUp() override {
    for (const int number : {1, 2, 3, 4}) {
      const bool better = number > 2;
      write_run(scratch.path(), {.number = number,
                                 .lr = better ? 0.2 : 0.1,
                                 .seed = 2 - number % 2,
                                 .valid = {better ? 20. : 21.},
                                 .test = 30. + number,
                                 .more = {{"task.length", std::int64_t{64}}}});
    }
  }
  void evaluate(int number, const std::string& settings, double value, std::int64_t step = 100,
                double time = 1, const std::string& metric = "test.ppl") {
    write_evaluation(run_folder(scratch.path(), run_id(number)),
                     {settings, step, time, {{metric, value}}, {}});
  }
  Table made(const TableSpec& spec) {
    fold(scratch.path());
    return make_table(*open_for_reading(scratch.path()), kTestRoles, spec);
  }
  double mean(const Table& table, const std::string& row, const std::string& value) {
    for (std::size_t r = 0; r < table.rows.size(); ++r)
      for (std::size_t c = 0; c < table.columns.size(); ++c)
        if (table.rows[r][0] == row && table.columns[c].value == value)
          return table.cells[r][c].statistics.n == 0 ? kNone : table.cells[r][c].statistics.mean;
    return kNone;
  }
  Scratch scratch;
};

const TableSpec kByLength = {
    .rows = {"@task.length"}, .values = {"test.ppl"}, .tuned = {"optim.lr"}, .by = "valid.ppl"};

}  // namespace

TEST_F(Evaluated, ANewestValueThatIsNoNumberHidesTheOlderOne) {
  for (const int number : {1, 2, 3, 4}) evaluate(number, "task.length=128", 40);
  evaluate(4, "task.length=128", NAN, 200, 2);
  const Table table = made(kByLength);
  EXPECT_EQ(table.cells[1][0].statistics.n, 1);
  EXPECT_EQ(signs_of(table.cells[1][0]), "e,p");  // the larger of two rates, a seed without value
}

// A setting that equals the training's is no other parameter.
TEST_F(Evaluated, WithAFurtherSettingAreNamedUnlessTheRunWasTrainedWithIt) {
  for (const int number : {3, 4}) {
    evaluate(number, "seed=" + std::to_string(2 - number % 2) + " task.length=128", 40);
    evaluate(number, "task.length=256 task.pairs=8", 70);
  }
  const Table table =
      made({.rows = {"@task.length"}, .values = {"test.ppl"}, .where = {{"optim.lr", "0.2"}}});
  EXPECT_EQ(table.rows.size(), 2u);
  EXPECT_EQ(mean(table, "128", "test.ppl"), 40);
  EXPECT_EQ(mean(table, "256", "test.ppl"), kNone);
  EXPECT_TRUE(lcsm::has_word(note_texts(table),
                             "evaluations that differ in more parameters are values, not columns: "
                             "METRIC@task.length=256 task.pairs=8"));
}

TEST_F(Evaluated, TheRateIsThatOfTheTrainedLength) {
  for (const int number : {1, 2, 3, 4})  // at 128, rate 0.1 is the better one
    evaluate(number, "task.length=128", number > 2 ? 50 : 40);
  const Table table = made(kByLength);
  EXPECT_EQ(mean(table, "64", "test.ppl"), 33.5);
  EXPECT_EQ(mean(table, "128", "test.ppl"), 50);
}

TEST_F(Evaluated, TheRateIsThatOfTheTrainedLengthThoughOnlyAnotherWasEvaluated) {
  for (const int number : {1, 2}) evaluate(number, "task.length=128", 40);
  EXPECT_EQ(mean(made(kByLength), "128", "test.ppl"), kNone);
  evaluate(3, "task.length=128", 50);
  const Table table = made(kByLength);
  EXPECT_EQ(mean(table, "128", "test.ppl"), 50);
  EXPECT_EQ(table.cells[1][0].chosen, "optim.lr=0.2");
  EXPECT_EQ(signs_of(table.cells[1][0]), "e,p");
}

TEST_F(Evaluated, OneRunEvaluatedAgainLeavesTheOthersTheirOwnValue) {
  evaluate(3, "task.length=64", 50);
  EXPECT_EQ(mean(made(kByLength), "64", "test.ppl"), (50 + 34) / 2.);
}

TEST_F(Evaluated, OfSeveralStepsTheNewestCounts) {
  for (const int number : {3, 4}) {
    evaluate(number, "task.length=128", 70, 100, 1);
    evaluate(number, "task.length=128", 60, 50, 2);
  }
  EXPECT_EQ(mean(made(kByLength), "128", "test.ppl"), 60);
  TableSpec spec = {.rows = {"optim.lr"}, .values = {"test.ppl@task.length=128"}};
  EXPECT_EQ(mean(made(spec), "0.2", "test.ppl@task.length=128"), 60);
}

TEST_F(Evaluated, TheTrainedValueMayBeEvaluatedAgain) {
  evaluate(3, "task.length=64", 90);
  evaluate(4, "task.length=64", 92);
  EXPECT_EQ(mean(made(kByLength), "64", "test.ppl"), 91);
}

TEST_F(Evaluated, ARunEvaluatedAgainKeepsTheMetricsThatWereNot) {
  evaluate(3, "task.length=64", 90);
  TableSpec spec = kByLength;
  spec.values = {"test.ppl", "valid.ppl@100"};
  const Table table = made(spec);
  EXPECT_EQ(mean(table, "64", "test.ppl"), (90 + 34) / 2.);
  EXPECT_EQ(table.cells[0][1].statistics.n, 2);
}

TEST_F(Evaluated, OfAnotherCheckpointAreNoted) {
  const std::string note = "some evaluations are of another checkpoint than the run's own value";
  const auto noted = [&] { return lcsm::has_word(note_texts(made(kByLength)), note); };
  evaluate(3, "task.length=128", 50, 100, 1);
  EXPECT_FALSE(noted());
  evaluate(3, "task.length=256", 50, 50, 1);
  EXPECT_TRUE(noted());
  const auto noted_of = [&](const std::string& value) {
    return lcsm::has_word(note_texts(made({.values = {value}})), note);
  };
  EXPECT_FALSE(noted_of("test.ppl@task.length=128"));
  EXPECT_TRUE(noted_of("test.ppl@task.length=256"));
}

TEST_F(Evaluated, WithOtherSettingsBesideAreNotOfThisAxis) {
  for (const int number : {3, 4}) evaluate(number, "task.length=128 task.pairs=8", 70);
  EXPECT_EQ(mean(made(kByLength), "128", "test.ppl"), kNone);
  TableSpec spec = {.rows = {"optim.lr"}, .values = {"test.ppl@task.length=128 task.pairs=8"}};
  EXPECT_EQ(mean(made(spec), "0.2", spec.values[0]), 70);
}

// No parameter holds the trained value.
TEST_F(Evaluated, AnOptionOfASystemIsAnAxis) {
  const TableSpec by_chunk = {.rows = {"@system.chunk"}, .values = {"test.ppl"}};
  EXPECT_EQ(made(by_chunk).rows, (std::vector<std::vector<std::string>>{{"as trained"}}));
  for (const int number : {1, 2, 3, 4}) evaluate(number, "system.chunk=128", 40);
  EXPECT_EQ(mean(made(by_chunk), "128", "test.ppl"), 40);
}

TEST_F(Evaluated, AMetricThatWasNotEvaluatedIsMissing) {
  for (const int number : {3, 4}) evaluate(number, "task.length=128", 50, 100, 1, "test.loss");
  const Table table = made(kByLength);
  EXPECT_EQ(mean(table, "128", "test.ppl"), kNone);
  EXPECT_EQ(mean(table, "64", "test.ppl"), 33.5);
}

// It may have been interrupted before its own test.
TEST_F(Evaluated, ARunWithoutTheMetricMayBeEvaluated) {
  write_run(scratch.path(), {.number = 5,
                             .code = "1-9-1-0",
                             .test = NAN,
                             .status = "interrupted",
                             .more = {{"task.length", std::int64_t{64}}}});
  evaluate(5, "task.length=128", 50);
  TableSpec spec = kByLength;
  spec.where = {{"model.code", "1-9-1-0"}};
  EXPECT_EQ(mean(made(spec), "128", "test.ppl"), 50);
  EXPECT_EQ(mean(made(spec), "64", "test.ppl"), kNone);
}

TEST_F(Evaluated, TheMetricThatSelectsIsNotShown) {
  for (const int number : {3, 4}) evaluate(number, "task.length=128", 50);
  TableSpec spec = kByLength;
  spec.values = {};
  EXPECT_EQ(mean(made(spec), "128", "test.ppl"), 50);
  EXPECT_EQ(made(spec).columns.size(), 1u);
  spec.values = {"valid.ppl"};
  EXPECT_THROW(made(spec), std::invalid_argument);
  spec = kByLength;
  spec.columns = {"@optim.lr"};
  EXPECT_THROW(made(spec), std::invalid_argument);
}

// Fewer examples give a share a larger error.
TEST_F(Evaluated, AShareIsOfTheExamplesThatWereEvaluated) {
  Roles roles = kTestRoles;
  constexpr std::array<std::string_view, 1> kSizes = {"eval.examples"};
  roles.sizes = kSizes;
  roles.examples = [](std::string_view, const Parameters& run) -> std::int64_t {
    return std::stoll(run.at("eval.examples"));
  };
  const Values all = {{"eval.examples", std::int64_t{1000}}};
  write_run(scratch.path(), {.number = 5, .code = "1-9-1-0", .more = all});
  evaluate(5, "eval.examples=100", 0.5, 100, 1, "test.accuracy");
  fold(scratch.path());
  const auto cells = [&](const TableSpec& spec) {
    return make_table(*open_for_reading(scratch.path()), roles, spec).cells;
  };
  const TableSpec spec = {.values = {"test.accuracy@eval.examples=100"},
                          .where = {{"eval.examples", "1000"}}};
  EXPECT_EQ(cells(spec)[0][0].scale.examples, 100);
  TableSpec split = spec;
  split.rows = {"@eval.examples"};
  split.values = {"test.accuracy@task.length=64"};
  evaluate(5, "task.length=64", 0.5, 100, 1, "test.accuracy");
  fold(scratch.path());
  EXPECT_EQ(cells(split)[0][0].scale.examples, 100);
  EXPECT_EQ(cells(split)[1][0].scale.examples, 1000);
}

namespace {

// A run that told the size of its test split.
class ToldSize : public Evaluated {
 protected:
  ToldSize() {
    roles_.examples = [](std::string_view split, const Parameters& run) -> std::int64_t {
      const auto told = run.find(std::string(kExamplesFact) + std::string(split));
      return told == run.end() || run.contains("task.data") ? 0 : std::stoll(told->second);
    };
  }
  void SetUp() override {
    Evaluated::SetUp();
    EventWriter writer(run_folder(scratch.path(), run_id(1)), counting_clock());
    writer.append(AttemptLine{100, 5, {{"commit", "c0ffee"}, {"examples.test", std::int64_t{50}}}});
    writer.append(MetricsLine{100, {{"test.accuracy", 0.5}}});
    writer.append(EndLine{RunState::kDone, 100, ""});
  }
  std::vector<double> examples(TableSpec spec) {
    spec.scope.only = {run_id(1)};
    fold(scratch.path());
    std::vector<double> all;
    for (const auto& row : make_table(*open_for_reading(scratch.path()), roles_, spec).cells)
      all.push_back(row[0].scale.examples);
    return all;
  }

 private:
  Roles roles_ = kTestRoles;
};

}  // namespace

TEST_F(ToldSize, IsThatOfItsShares) {
  EXPECT_EQ(examples({.values = {"test.accuracy"}}), std::vector{50.0});
}

TEST_F(ToldSize, IsNotThatOfAnEvaluationOnOtherData) {
  for (const char* setting : {"task.data=more", "task.name=other"}) {
    evaluate(1, setting, 0.5, 100, 1, "test.accuracy");
    EXPECT_EQ(examples({.values = {"test.accuracy@" + std::string(setting)}}), std::vector{0.0});
  }
}

}  // namespace results
