#include "runner/front/panel/sweep_panel.h"

#include <gtest/gtest.h>

namespace runner {
namespace {

using results::RunState;
using What = PanelAsk::What;

// Records what was requested.
class Asked : public SweepRunControl {
 public:
  int jobs() const override { return 1; }
  void set_jobs(int jobs) override { calls += "jobs " + std::to_string(jobs); }
  bool paused() const override { return false; }
  void pause(bool paused) override { calls += paused ? "pause" : "continue"; }
  void cancel(std::size_t job) override { calls += "cancel " + std::to_string(job); }
  void retry(std::size_t job) override { calls += "retry " + std::to_string(job); }
  bool stopping() const override { return false; }
  void stop() override { calls += "stop"; }
  std::string calls;
};

// Four points, the first of which was done before.
PanelModel four_points() {
  PanelModel model;
  for (int i = 0; i < 4; ++i)
    model.runs.push_back({std::string(8, static_cast<char>('a' + i)), {}});
  model.runs[0].state = RunState::kDone;
  return model;
}

const std::vector<std::size_t> kRunOf = {1, 2, 3};

}  // namespace

TEST(SweepPanel, FollowsTheScheduler) {
  Scheduler scheduler({{"b", 3}, {"c", 2}, {"d", 1}}, {{"cpu", 2}}, {});
  PanelModel model = four_points();
  scheduler.next(0);
  scheduler.next(0);
  scheduler.ended(0, RunState::kDiverged, 1);
  follow(scheduler, kRunOf, 1, &model);
  EXPECT_EQ(model.runs[0].state, RunState::kDone);
  EXPECT_EQ(model.runs[1].state, RunState::kDiverged);
  EXPECT_EQ(model.runs[1].why, "diverged");
  EXPECT_EQ(model.runs[2].state, RunState::kRunning);
  scheduler.ended(1, RunState::kSignal, 2);
  follow(scheduler, kRunOf, 2, &model);
  EXPECT_EQ(model.runs[2].state, RunState::kWaiting);
  EXPECT_EQ(model.runs[2].why, "waiting: killed by a signal, retry in 5 s");
}

TEST(SweepPanel, ACancelledRunWaitsUntilItIsRetried) {
  Scheduler scheduler({{"b", 3}, {"c", 2}, {"d", 1}}, {{"cpu", 1}}, {});
  PanelModel model = four_points();
  scheduler.next(0);
  scheduler.cancel(0);
  scheduler.cancel(1);
  scheduler.ended(0, RunState::kSignal, 1);
  follow(scheduler, kRunOf, 1, &model);
  for (const std::size_t run : {1, 2}) {
    EXPECT_EQ(model.runs[run].state, RunState::kCancelled);
    EXPECT_EQ(model.runs[run].why, "cancelled");
  }
  scheduler.retry(0);
  EXPECT_EQ(scheduler.next(2)->job, 0u);
}

TEST(SweepPanel, CarriesOutWhatKeysRequest) {
  PanelModel model = four_points();
  const std::map<std::size_t, std::size_t> job_of = {{1, 0}, {2, 1}, {3, 2}};
  Asked asked;
  for (const PanelAsk& ask :
       {PanelAsk{What::kCancel, 3}, PanelAsk{What::kRetry, 1}, PanelAsk{What::kJobs, 0, 4},
        PanelAsk{What::kPause}, PanelAsk{What::kStop}}) {
    carry_out(ask, job_of, &model, asked);
    asked.calls += "; ";
  }
  EXPECT_EQ(asked.calls, "cancel 2; retry 0; jobs 4; pause; stop; ");
  carry_out({What::kRetry, 0}, job_of, &model, asked);
  EXPECT_EQ(model.message, "it was done before this `lcsm run`: nothing to retry or cancel");
}

}  // namespace runner
