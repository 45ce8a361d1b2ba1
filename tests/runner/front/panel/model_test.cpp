#include "runner/front/panel/model.h"

#include <gtest/gtest.h>

namespace runner {
namespace {

using results::RunState;

PanelRun of_state(RunState state, std::int64_t step = 0, double speed = kUnknown) {
  PanelRun run{"id", {}, state};
  run.steps = 100;
  run.seconds = 50;
  run.progress.step = run.progress.saved = step;
  run.progress.steps_per_second = speed;
  return run;
}

PanelModel of(std::vector<PanelRun> runs, int jobs = 1) {
  PanelModel model;
  model.runs = std::move(runs);
  model.jobs = jobs;
  return model;
}

}  // namespace

TEST(PanelModel, CountsRunningRunsByTheirSteps) {
  const PanelModel model = of({of_state(RunState::kDone), of_state(RunState::kRunning, 50),
                               of_state(RunState::kNew), of_state(RunState::kFailed)});
  EXPECT_DOUBLE_EQ(model.share_done(), 2.5 / 4);
  EXPECT_EQ(model.counts().of(RunState::kRunning), 1u);
}

TEST(PanelModel, PrefersSpeedsToThePlan) {
  const PanelModel model = of({of_state(RunState::kRunning, 20, 1), of_state(RunState::kNew)});
  EXPECT_DOUBLE_EQ(pace_of(model), 2) << "100 s for what was planned to take 50";
  EXPECT_DOUBLE_EQ(seconds_left(model.runs[0], 2), 80);
  EXPECT_DOUBLE_EQ(seconds_left(model.runs[1], 2), 100);
  EXPECT_DOUBLE_EQ(eta_of(model), 180);
}

TEST(PanelModel, SharesWhatIsLeftOutAmongTheJobs) {
  EXPECT_DOUBLE_EQ(eta_of(of({of_state(RunState::kNew), of_state(RunState::kNew)}, 2)), 50);
  EXPECT_DOUBLE_EQ(eta_of(of({of_state(RunState::kDone)}, 2)), 0);
}

TEST(PanelModel, AResumedRunHasLessLeft) {
  PanelRun run = of_state(RunState::kNew, 60);
  run.planned_at = 60;
  EXPECT_DOUBLE_EQ(seconds_left(run, 1), 50) << "of what was left";
  run.planned_at = 20;
  EXPECT_DOUBLE_EQ(seconds_left(run, 1), 25);
}

TEST(PanelModel, TheBestDependsOnTheMetric) {
  PanelModel model = of({of_state(RunState::kDone), of_state(RunState::kDone)});
  EXPECT_FALSE(model.best().has_value());
  model.runs[0].value = 0.25;
  model.runs[1].value = 0.75;
  model.metric = "valid.accuracy@best";
  EXPECT_EQ(model.best()->run, 1u);
  model.metric = "valid.ppl@best";
  EXPECT_EQ(model.best()->run, 0u);
}

TEST(PanelModel, NoRunIsTheBestOfSeveralTasks) {
  PanelModel model = of({of_state(RunState::kDone), of_state(RunState::kDone)});
  model.axes = {"seed", "task.name"};
  model.metric = "valid.accuracy";
  model.runs[0].at = {"1", "mqar"};
  model.runs[1].at = {"1", "lra-image"};
  model.runs[1].value = 0.75;
  EXPECT_EQ(model.best()->run, 1u) << "no other task has a value";
  model.runs[0].value = 0.25;
  EXPECT_FALSE(model.best().has_value());
  model.runs[0].at[1] = "lra-image";
  EXPECT_EQ(model.best()->run, 1u);
}

}  // namespace runner
