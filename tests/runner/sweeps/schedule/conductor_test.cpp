#include "runner/sweeps/schedule/conductor.h"

#include <gtest/gtest.h>
#include <signal.h>
#include <unistd.h>

#include <cerrno>
#include <fstream>
#include <map>
#include <system_error>
#include <thread>

#include "runner/workspace/run_lock.h"
#include "tests/runner/run_program.h"

namespace runner {
namespace {

namespace fs = std::filesystem;

class SweepRun : public ::testing::Test {
 protected:
  void SetUp() override {
    if (program_beside("lcsm").empty()) GTEST_SKIP() << "lcsm was not built";
  }

  // A sweep of runs that end in these ways (fake_train.cpp).
  Ran run(const std::string& ways, Words more = {"--jobs", "2", "--retries", "0"}) {
    std::ofstream(file()) << "title = 'Mine'\nbase.task.name = 'mqar'\n"
                             "base.model.code = '1-1-1-0'\ngrid.task.seed = ["
                          << ways << "]\n";
    Words words = {program_beside("lcsm").string(),
                   "run",
                   file().string(),
                   "--trainer",
                   trainer_.string(),
                   "--workspace",
                   workspace().string()};
    words.insert(words.end(), more.begin(), more.end());
    return run_program(words);
  }

  fs::path file() const { return folder_.path() / "mine.toml"; }
  fs::path workspace() const { return folder_.path() / "workspace"; }
  ScratchFolder folder_;
  fs::path trainer_ = program_beside("fake_train");
};

std::size_t lines_with(const std::string& text, const std::string& part) {
  std::size_t n = 0;
  for (std::size_t at = text.find(part); at != std::string::npos; at = text.find(part, at + 1)) ++n;
  return n;
}

const std::string kOne(32, '1'), kTwo(32, '2');  // ids

// Runs without processes end at the next poll, as `ends` has it by id; others stay.
struct FakeProcesses : TrainingProcesses {
  static inline std::map<std::string, std::vector<Ended>> ends;
  static inline std::vector<std::string> calls;
  static inline int refusal = 0;  // the error of each start

  static std::unique_ptr<TrainingProcesses> make(const TrainingSettings&) {
    return std::make_unique<FakeProcesses>();
  }
  std::vector<std::string> devices() const override { return {"left", "right"}; }
  std::string missing() const override { return ""; }
  void start(std::size_t job, const RunToDo& run, const fs::path& folder,
             std::size_t device) override {
    EXPECT_EQ(read_file(folder / results::kConfigFile), run.config);
    if (refusal != 0) throw std::system_error(refusal, std::generic_category());
    calls.push_back("start " + run.job.id.substr(0, 1) + " on " + devices()[device]);
    running_[job] = run.job.id;
  }
  void cancel(std::size_t job, const Ended& meaning) override {
    if (running_.contains(job)) ends[running_[job]] = {meaning};
  }
  void stop() override {
    calls.emplace_back("stop");
    for (const auto& [job, id] : running_) ends[id] = {{results::RunState::kInterrupted, ""}};
  }
  void kill() override { calls.emplace_back("kill"); }
  std::vector<TrainingReport> poll() override {
    std::vector<TrainingReport> reports;
    for (const auto& [job, id] : std::map(running_)) {
      if (ends[id].empty()) continue;
      reports.push_back({job, "", ends[id].front()});
      ends[id].erase(ends[id].begin());
      running_.erase(job);
    }
    return reports;
  }
  void add_handles(std::vector<pollfd>*) const override {}

 private:
  std::map<std::size_t, std::string> running_;
};

class AnyProcesses : public ::testing::Test {
 protected:
  AnyProcesses() {
    FakeProcesses::ends.clear();
    FakeProcesses::calls.clear();
    FakeProcesses::refusal = 0;
    fs::create_directories(folder_.path() / results::kRunsFolder);
    watcher_.started = watcher_.refused = [](const Scheduler&, std::size_t) {};
    watcher_.ended = [](const Scheduler&, std::size_t, const Ended&) {};
    watcher_.said = [](const std::string&) {};
    watcher_.tick = [](const Scheduler&, SweepRunControl&) {};
  }

  SweepRunResult run(const std::vector<std::string>& ids) {
    std::vector<RunToDo> runs;
    for (const std::string& id : ids) runs.push_back({{id, 1, 0}, id, "seed = " + id + "\n"});
    return run_sweep(runs,
                     {.mark = {"mine", "", ""},
                      .jobs = 2,
                      .policy = {.retries = 1, .wait_seconds = 0.01},
                      .training = {.workspace = folder_.path()},
                      .make = FakeProcesses::make},
                     watcher_);
  }

  ScratchFolder folder_;
  SweepRunWatcher watcher_;
};

}  // namespace

TEST_F(AnyProcesses, StartsRunsOnItsDevicesAndRetriesThem) {
  using enum results::RunState;
  FakeProcesses::ends = {{kOne, {{kDone, ""}}}, {kTwo, {{kSignal, "signal 11"}, {kDone, ""}}}};
  const SweepRunResult result = run({kOne, kTwo});
  EXPECT_EQ(result.states, (std::vector{kDone, kDone}));
  EXPECT_FALSE(result.stopped);
  EXPECT_EQ(FakeProcesses::calls,
            (Words{"start 1 on left", "start 2 on right", "start 2 on left"}));
}

TEST_F(AnyProcesses, StopsItsRunsOnRequest) {
  int ticks = 0;
  watcher_.tick = [&](const Scheduler&, SweepRunControl& control) {
    if (++ticks <= 2) control.stop();
  };
  const SweepRunResult result = run({kOne});
  EXPECT_EQ(result.states, std::vector{results::RunState::kInterrupted});
  EXPECT_TRUE(result.stopped);
  EXPECT_EQ(FakeProcesses::calls, (Words{"start 1 on left", "stop"}));
}

TEST_F(AnyProcesses, CancelsOneRun) {
  watcher_.tick = [&](const Scheduler& scheduler, SweepRunControl& control) {
    if (scheduler.entries()[0].running) control.cancel(0);
  };
  FakeProcesses::ends = {{kTwo, {{results::RunState::kDone, ""}}}};
  const SweepRunResult result = run({kOne, kTwo});
  EXPECT_EQ(result.states, (std::vector{results::RunState::kCancelled, results::RunState::kDone}));
}

TEST_F(AnyProcesses, AQuotaThatIsReachedIsAFullDisk) {
  for (const int error : {ENOSPC, EDQUOT}) {
    FakeProcesses::refusal = error;
    EXPECT_EQ(run({kOne}).states, std::vector{results::RunState::kNoRoom}) << error;
  }
}

TEST_F(SweepRun, RunsWhatIsMissingAndNothingTwice) {
  const Ran first = run("1");
  EXPECT_EQ(first.status, 0) << first.err;
  EXPECT_EQ(last_line(first.out), "mine: 1 done, 0 failed, 0 left of 1\n");
  const Ran again = run("1");
  EXPECT_EQ(again.status, 0);
  EXPECT_EQ(last_line(again.out), "mine: 1 done, nothing to do\n");
  EXPECT_EQ(last_line(run("1, 12").out), "mine: 2 done, 0 failed, 0 left of 2\n");
}

TEST_F(SweepRun, ReportsEachEndAndContinues) {
  const Ran ran = run("1, 2, 3, 4, 6, 7, 8, 9, 12, 33");
  EXPECT_EQ(ran.status, 1);
  for (const char* what :
       {"bad configuration: way 2:", "data missing: way 3:", "disk full: exit status 4",
        "diverged: exit status 6", "out of memory: exit status 7", "busy: exit status 8",
        "killed by a signal: signal 11 (Segmentation fault)"})
    EXPECT_EQ(lines_with(ran.err, what), 1u) << what << "\n" << ran.err;
  EXPECT_EQ(last_line(ran.out), "mine: 3 done, 6 failed, 1 left of 10\n");
}

TEST_F(SweepRun, StartsLostRunsAgainAndFailedOnesOnRequest) {
  EXPECT_EQ(run("11").status, 1) << "killed in its first attempt";
  EXPECT_EQ(last_line(run("11").out), "mine: 1 done, 0 failed, 0 left of 1\n");
  EXPECT_EQ(run("6").status, 1);
  const Ran again = run("6");
  EXPECT_EQ(again.out, "mine: 0 done, nothing to do\n");
  EXPECT_EQ(again.err, "lcsm run: 1 run failed: add --retry to retry\n");
  EXPECT_NE(run("6", {"--retry"}).err.find("diverged: exit status 6"), std::string::npos);
}

TEST_F(SweepRun, StopsAfterSoManyFailures) {
  const Ran ran = run("6, 106, 7, 8", {"--max-fails", "1", "--jobs", "1"});
  EXPECT_EQ(ran.status, 1);
  EXPECT_EQ(ran.out, "mine: 0 done, 1 failed, 3 left of 4\n") << ran.err;
}

TEST_F(SweepRun, MarksRunsWithTheirSweep) {
  run("1");
  bool found = false;
  for (const auto& entry : fs::recursive_directory_iterator(workspace()))
    found = found || entry.path().filename() == "mine.json";
  EXPECT_TRUE(found);
}

TEST_F(SweepRun, GivesRunsTheirShareOfTheCoresUnlessTheySetTheirThreads) {
  const fs::path words = folder_.path() / "words", trainer = folder_.path() / "trainer";
  std::ofstream(trainer) << "#!/bin/sh\necho \"$@\" > '" << words.string() << "'\nexec '"
                         << trainer_.string() << "' \"$@\"\n";
  fs::permissions(trainer, fs::perms::owner_all);
  trainer_ = trainer;
  EXPECT_EQ(run("1").status, 0);
  EXPECT_NE(read_file(words).find("--set run.threads="), std::string::npos) << read_file(words);
  EXPECT_EQ(run("12", {"--set", "run.threads=3"}).status, 0);
  EXPECT_EQ(read_file(words).find("run.threads"), std::string::npos) << read_file(words);
  EXPECT_NE(read_file(words).find("config.toml"), std::string::npos) << read_file(words);
}

TEST_F(SweepRun, StopsAtASignalAndResumesLater) {
  std::thread stopper([this] {
    const auto started = [this] {
      for (const auto& entry : fs::recursive_directory_iterator(workspace()))
        if (entry.path().filename() == "events.jsonl") return true;
      return false;
    };
    comes_true([&] { return who_runs(workspace()) && started(); });
    if (const auto who = who_runs(workspace())) kill(who->process, SIGINT);
  });
  const Ran ran = run("10");
  stopper.join();
  EXPECT_EQ(ran.status, 5) << ran.err;
  EXPECT_EQ(ran.out, "mine: 0 done, 0 failed, 1 left of 1\n");
}

}  // namespace runner
