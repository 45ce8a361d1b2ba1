#include "runner/front/panel/sweep_lines.h"

#include <gtest/gtest.h>

namespace runner {

TEST(SweepLines, TheTimeLeftIsThatOfTrainingWithoutPauses) {
  std::vector<RunToDo> runs(3);
  std::vector<Job> jobs;
  for (RunToDo& run : runs) {
    run.job.seconds = 10;
    jobs.push_back(run.job);
  }
  Scheduler scheduler(jobs, {{"cpu", 1}}, {});
  double now = 0;
  std::string last;
  SweepLines lines(
      runs, [&](const std::string& line) { last = line; }, [&] { return now; });
  const SweepRunWatcher watcher = lines.watcher();
  const auto train = [&](double pause, double seconds) {
    now += pause;
    const std::size_t job = scheduler.next(now)->job;
    watcher.started(scheduler, job);
    now += seconds;
    scheduler.ended(job, results::RunState::kDone, now);
    watcher.ended(scheduler, job, {results::RunState::kDone, ""});
    return last.substr(last.find("done"));
  };
  EXPECT_EQ(train(3600, 20), "done, 40 s left");
  EXPECT_EQ(train(3600, 40), "done, 30 s left");
  EXPECT_EQ(train(0, 5), "done");
}

}  // namespace runner
