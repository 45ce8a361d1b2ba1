#include "runner/sweeps/plan/sweep_plan.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>

#include "results/events/checkpoints.h"
#include "results/events/event_writer.h"
#include "results/events/run_folder.h"
#include "runner/config/keys/run_keys.h"
#include "runner/config/run/run_id.h"
#include "tests/results/fixture.h"
#include "tests/runner/sweeps/language/sweep_texts.h"
#include "tests/runner/sweeps/plan/planned_runs.h"

namespace runner {
namespace {

constexpr const char* kText =
    "base.task.name = 'mqar'\nbase.model.code = '1-1-1-0'\n"
    "base.optim = { epochs = 0, steps = 100, schedule = 'constant' }\ngrid.seed = [1, 2, 3, 4]\n";

SweepPlan plan_of(const Known& known, int slots = 2, const std::string& text = kText) {
  return plan_sweep(sweep_of(text), {}, known, {slots, 2});
}

SweepPlan plan_in(const std::filesystem::path& workspace) {
  return plan_sweep(sweep_of(kText), {.workspace = workspace}, known_of(workspace), {2, 2});
}

}  // namespace

TEST(SweepPlan, IsAllNewWithoutAWorkspace) {
  const SweepPlan plan = plan_of(known_of("/nowhere"));
  EXPECT_EQ(plan.counts().text(), "4 new");
  EXPECT_EQ(plan.runs[0].source, "guessed");
  EXPECT_GT(plan.seconds, 0);
  EXPECT_NEAR(plan.eta_seconds, plan.seconds / 2, 1e-9) << "four equal runs in two slots";
}

// Once per data set; done runs need none.
TEST(SweepPlan, SaysWhichDataIsMissing) {
  const results::Scratch nowhere;
  setenv("LCSM_DATA", nowhere.path().c_str(), 1);
  const std::string text =
      "base.model.code = '1-1-1-0'\nbase.optim = { steps = 10, epochs = 0, schedule = 'constant' "
      "}\n"
      "grid.task.name = ['mqar', 'tiny-shakespeare']\ngrid.seed = [1, 2, 3]\n";
  const SweepPlan plan = plan_sweep(sweep_of(text), {.workspace = nowhere.path()}, {}, {});
  unsetenv("LCSM_DATA");
  ASSERT_EQ(plan.missing_data.size(), 1u);
  EXPECT_TRUE(plan.missing_data[0].starts_with("tiny-shakespeare needs ")) << plan.missing_data[0];
  EXPECT_EQ(std::count_if(plan.runs.begin(), plan.runs.end(),
                          [](const PlannedRun& run) { return run.lacks_data; }),
            3);
}

TEST(SweepPlan, CountsExistingAndRemainingRuns) {
  results::Scratch workspace;
  const std::vector<RunConfig> runs = expanded(sweep_of(kText)).runs;
  write_measured(workspace.path(), runs[0], {.seconds = 40, .host = "other"});
  const std::string stopped = write_measured(
      workspace.path(), runs[1], {.steps = 25, .status = "interrupted", .host = "other"});
  write_measured(workspace.path(), runs[2], {.steps = 50, .status = "diverged", .host = "other"});
  const SweepPlan plan = plan_in(workspace.path());
  EXPECT_EQ(plan.counts().text(), "1 done, 1 failed, 1 interrupted, 1 new");
  EXPECT_EQ(plan.runs[2].state, results::RunState::kDiverged);
  EXPECT_EQ(plan.runs[0].seconds, 0);
  EXPECT_NEAR(plan.runs[1].seconds, plan.runs[3].seconds, 1e-9) << "it has no checkpoint";
  EXPECT_EQ(plan.runs[1].steps_done, 0);
  EXPECT_EQ(plan.runs[2].seconds, 0) << "a failed run is not started by itself";
  std::filesystem::create_directories(results::run_folder(workspace.path(), stopped) /
                                      results::checkpoint_name({20}));
  const SweepPlan later = plan_in(workspace.path());
  EXPECT_EQ(later.runs[1].steps_done, 20);
  EXPECT_NEAR(later.runs[1].seconds, 0.8 * later.runs[3].seconds, 1e-9);
}

// 50 steps in 25 s; before, the times of all runs were guesses.
TEST(SweepPlan, TakesTheSpeedOfRunsInProgress) {
  results::Scratch workspace;
  const std::vector<RunConfig> runs = expanded(sweep_of(kText)).runs;
  const std::string id =
      write_measured(workspace.path(), runs[1], {.steps = 50, .seconds = 25, .status = ""});
  const results::EventWriter held(results::run_folder(workspace.path(), id));
  const SweepPlan plan = plan_in(workspace.path());
  ASSERT_EQ(plan.runs[1].state, results::RunState::kRunning);
  EXPECT_EQ(plan.runs[1].steps_done, 50);
  EXPECT_NEAR(plan.runs[1].seconds, 25, 1e-6);
  EXPECT_EQ(plan.runs[3].source, "scaled");
  EXPECT_NEAR(plan.runs[3].seconds, 50, 1e-6) << "as the other, which has as many steps";
}

TEST(SweepPlan, ShowsEachRunWithItsConfigurationWhileItExpands) {
  std::vector<std::string> ids, planned;
  std::vector<std::int64_t> seeds;
  const SweepPlan plan = plan_sweep(sweep_of(kText), {}, {}, {2, 2},
                                    [&](const PlannedRun& run, const RunConfig& config) {
                                      EXPECT_EQ(run.point.id, run_id(config));
                                      EXPECT_EQ(run.state, results::RunState::kNew);
                                      ids.push_back(run.point.id);
                                      seeds.push_back(config.integer("seed"_key));
                                    });
  for (const PlannedRun& run : plan.runs) planned.push_back(run.point.id);
  EXPECT_EQ(ids, planned);
  EXPECT_EQ(seeds, (std::vector<std::int64_t>{1, 2, 3, 4}));
}

TEST(SweepPlan, AddsUpRunsThatRunAtTheSameTime) {
  const SweepPlan one = plan_of({}, 1), two = plan_of({}, 2), many = plan_of({}, 100);
  EXPECT_NEAR(two.memory_bytes, 2 * one.memory_bytes, 1);
  EXPECT_NEAR(many.memory_bytes, 4 * one.memory_bytes, 1) << "there are four runs";
  EXPECT_NEAR(many.disk_bytes, one.disk_bytes, 1);
}

TEST(SweepPlan, EndsWhenTheLastSlotIsEmpty) {
  EXPECT_EQ(time_with_slots({}, 2), 0);
  EXPECT_EQ(time_with_slots({5, 1, 1, 1, 1, 1}, 2), 5);
  EXPECT_EQ(time_with_slots({1, 1, 1, 1, 1, 5}, 2), 5) << "the longest first";
  EXPECT_EQ(time_with_slots({3, 3, 2, 2, 2}, 2), 7);
  EXPECT_EQ(time_with_slots({1, 2, 3}, 100), 3);
}

}  // namespace runner
