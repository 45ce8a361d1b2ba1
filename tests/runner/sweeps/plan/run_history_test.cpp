#include "runner/sweeps/plan/run_history.h"

#include <gtest/gtest.h>

#include <fstream>

#include "results/store/fold.h"
#include "results/store/store.h"
#include "runner/data/own/data_sizes.h"
#include "runner/data/own/own_data.h"
#include "tests/results/fixture.h"
#include "tests/runner/sweeps/language/sweep_texts.h"
#include "tests/runner/sweeps/plan/planned_runs.h"

namespace runner {
namespace {

RunConfig run_history_config_of(const std::string& more) {
  return parse_config(
      "task.name = 'mqar'\nmodel.code = '1-1-1-0'\noptim.epochs = 0\n"
      "optim.schedule = 'constant'\noptim.steps = 100\n" +
          more,
      "my.toml", {}, ignore);
}

RunHistory history_of(const std::filesystem::path& workspace, const std::string& host = "here") {
  results::fold(workspace);
  return RunHistory(*results::open_for_reading(workspace), host, workspace);
}

Estimate estimate(const RunHistory& history, const RunConfig& config, int threads = 1) {
  return history.estimate(config, cost_of(config), threads);
}

}  // namespace

TEST(RunHistory, GuessesWhereNothingWasMeasured) {
  const Estimate one = estimate({}, run_history_config_of(""));
  EXPECT_EQ(one.source, "guessed");
  EXPECT_LT(estimate({}, run_history_config_of(""), 2).seconds, one.seconds);
}

TEST(RunHistory, TakesTheTimeOfSimilarRuns) {
  results::Scratch workspace;
  write_measured(workspace.path(), run_history_config_of("seed = 1"),
                 {.steps = 100, .seconds = 20});
  write_measured(workspace.path(), run_history_config_of("seed = 2"),
                 {.steps = 100, .seconds = 30});
  write_measured(workspace.path(), run_history_config_of("seed = 3"),
                 {.steps = 100, .seconds = 40});
  const Estimate like =
      estimate(history_of(workspace.path()), run_history_config_of("seed = 4\noptim.lr = 1e-2"));
  EXPECT_EQ(like.source, "measured");
  EXPECT_NEAR(like.seconds, 30, 1e-9) << "the median";
}

TEST(RunHistory, CountsTheStepsOfAResumedRunOnce) {
  results::Scratch workspace;
  const RunConfig config = run_history_config_of("seed = 1");
  write_measured(workspace.path(), config, {.steps = 60, .seconds = 12, .status = "interrupted"});
  write_measured(workspace.path(), config, {.steps = 100, .seconds = 8, .from_step = 60});
  EXPECT_NEAR(estimate(history_of(workspace.path()), run_history_config_of("seed = 2")).seconds, 20,
              1e-9);
}

// The gates' formulas are read from the runs themselves.
TEST(RunHistory, TakesTheTimeOfRunsWithAGateOfOnesOwn) {
  const auto mine = [](const std::string& formula, int seed) {
    return parse_config(
        "task.name = 'mqar'\nmodel.code = '1-mine-1-0'\noptim.epochs = 0\n"
        "optim.schedule = 'constant'\noptim.steps = 100\nseed = " +
            std::to_string(seed) + "\n[oscillation.mine]\no = '" + formula +
            "'\nscale = '1 - o'\ninit.w_d = '0.5 + normal'\nrank.p_d = 4\n",
        "my.toml", {}, ignore);
  };
  results::Scratch workspace;
  write_measured(workspace.path(), mine("sigmoid(w_d + p_d)", 1), {.steps = 100, .seconds = 20});
  const RunHistory history = history_of(workspace.path());
  EXPECT_EQ(estimate(history, mine("sigmoid(w_d + p_d)", 2)).source, "measured");
  EXPECT_EQ(estimate(history, mine("exp(-softplus(w_d + p_d))", 2)).source, "scaled");
}

TEST(RunHistory, ScalesOthersByTheirArithmetic) {
  results::Scratch workspace;
  const RunConfig small = run_history_config_of(""),
                  large = run_history_config_of("model.layers = 4");
  for (const char* seed : {"seed = 1", "seed = 2", "seed = 3"})
    write_measured(workspace.path(), run_history_config_of(seed), {.steps = 100, .seconds = 20});
  const Estimate scaled = estimate(history_of(workspace.path()), large);
  EXPECT_EQ(scaled.source, "scaled");
  EXPECT_NEAR(scaled.seconds, 20 * cost_of(large).flops / cost_of(small).flops, 1e-6);
}

// The database has no task.path: the folder of a user's data is found by its hash.
TEST(RunHistory, ScalesByTheLengthOfTextsThatAreShorterThanTaskLength) {
  results::Scratch workspace;
  std::ofstream texts(workspace.path() / "own.csv");
  texts << "text,label\n";
  for (int i = 0; i < 40; ++i) texts << "word " << i << (i % 2 == 0 ? ",odd\n" : ",even\n");
  texts.close();
  const auto with = [&](const std::string& setting) {
    RunConfig config = parse_config(
        "", "",
        {"task.name=classify", "task.path=" + (workspace.path() / "own.csv").string(),
         "task.seed=2", "model.code=1-1-1-0", "optim.steps=100", "optim.warmup=0", setting},
        ignore);
    pin_data(config, workspace.path());
    return config;
  };
  const RunConfig shallow = with("model.layers=1"), deep = with("model.layers=8");
  write_measured(workspace.path(), shallow, {.steps = 100, .seconds = 20});
  const auto sizes = data_sizes(deep, workspace.path());
  const Estimate scaled = history_of(workspace.path()).estimate(deep, cost_of(deep, sizes), 1);
  EXPECT_EQ(scaled.source, "scaled");
  EXPECT_NEAR(scaled.seconds, 20 * cost_of(deep, sizes).flops / cost_of(shallow, sizes).flops,
              1e-6);
}

// The database has no task.data either. The examples are shorter than those of the task's own set.
TEST(RunHistory, TakesTheTimeOfRunsOnAnotherDataSet) {
  results::Scratch workspace;
  const auto with = [&](const std::string& setting) {
    return parse_config("", "",
                        {"task.name=lra-listops", "task.data=short", "task.length=60",
                         "task.content=" + std::string(64, 'a'), "model.code=1-1-1-0",
                         "optim.steps=100", "optim.warmup=0", setting},
                        ignore);
  };
  write_measured(workspace.path(), with("seed=1"), {.steps = 100, .seconds = 20});
  const Estimate like = estimate(history_of(workspace.path()), with("seed=2"));
  EXPECT_EQ(like.source, "measured");
  EXPECT_NEAR(like.seconds, 20, 1e-9);
  EXPECT_EQ(estimate(history_of(workspace.path()), with("model.layers=8")).source, "guessed")
      << "its number of examples is not known";
}

TEST(RunHistory, UsesOnlyRunsOfThisHost) {
  results::Scratch workspace;
  write_measured(workspace.path(), run_history_config_of(""),
                 {.steps = 100, .seconds = 20, .host = "other"});
  EXPECT_EQ(estimate(history_of(workspace.path()), run_history_config_of("")).source, "guessed");
  EXPECT_EQ(estimate(history_of(workspace.path(), "other"), run_history_config_of("")).source,
            "measured");
}

TEST(RunHistory, EndsWithTheMinutesThatARunMayTake) {
  const RunConfig capped = run_history_config_of("optim.minutes = 0.01");
  EXPECT_LE(estimate({}, capped).seconds, 0.6);
  const RunConfig timed = parse_config("", "",
                                       {"task.name=mqar", "model.code=1-1-1-0", "optim.epochs=0",
                                        "optim.minutes=5", "optim.schedule=constant"},
                                       ignore);
  EXPECT_EQ(estimate({}, timed).seconds, 300);
}

}  // namespace runner
