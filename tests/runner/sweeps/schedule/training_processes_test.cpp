#include "runner/sweeps/schedule/training_processes.h"

#include <gtest/gtest.h>

#include <fstream>
#include <map>

#include "results/events/run_folder.h"
#include "runner/base/process/process_facts.h"
#include "tests/runner/fake_sweep.h"

namespace runner {
namespace {

namespace fs = std::filesystem;
using results::RunState;

// The trainer is a shell script; `$2` is the run's config.toml.
class TrainingProcessesTest : public ::testing::Test {
 protected:
  void make(const std::string& script, TrainingSettings settings = {}) {
    const fs::path trainer = scratch_.path() / "trainer";
    std::ofstream(trainer) << "#!/bin/sh\n" << script << "\n";
    fs::permissions(trainer, fs::perms::owner_all);
    settings.workspace = scratch_.path();
    settings.trainer = trainer;
    processes_ = make_training_processes(settings);
  }

  void start(std::size_t job, int threads = 0) {
    RunToDo run;
    run.threads = threads;
    fs::create_directories(folder(job));
    processes_->start(job, run, folder(job), 0);
  }

  fs::path folder(std::size_t job) const { return scratch_.path() / std::to_string(job); }

  // Polls until `job` has ended.
  Ended end_of(std::size_t job) {
    comes_true([&] {
      for (const TrainingReport& report : processes_->poll()) {
        texts_ += report.text + "\n";
        if (report.ended) ends_[report.job] = *report.ended;
      }
      return ends_.contains(job);
    });
    return ends_[job];
  }

  bool wrote(std::size_t job, const std::string& name) {
    return comes_true([&] { return fs::exists(folder(job) / name); });
  }

  ScratchFolder scratch_;
  std::unique_ptr<TrainingProcesses> processes_;
  std::map<std::size_t, Ended> ends_;
  std::string texts_;
};

}  // namespace

TEST_F(TrainingProcessesTest, ReportsHowEachRunEnded) {
  make("case $2 in */6/*) exit 6;; */9/*) kill -SEGV $$;; esac");
  for (const std::size_t job : {0, 6, 9}) start(job);
  EXPECT_EQ(end_of(0).state, RunState::kDone);
  EXPECT_EQ(end_of(6).state, RunState::kDiverged);
  EXPECT_EQ(end_of(9).why, "signal 11 (Segmentation fault)");
  EXPECT_TRUE(processes_->poll().empty());
}

TEST_F(TrainingProcessesTest, GivesARunItsThreadsAndItsGpu) {
  make("echo \"$@\" $CUDA_VISIBLE_DEVICES", {.threads = 3, .gpus = {"GPU-7"}});
  EXPECT_EQ(processes_->devices(), std::vector<std::string>{"GPU-7"});
  start(0);
  start(1, 5);
  end_of(0);
  end_of(1);
  const std::string shared = read_file(folder(0) / results::kLogFile);
  EXPECT_NE(shared.find("--set run.threads=3"), std::string::npos) << shared;
  EXPECT_NE(shared.find("--set run.device=cuda GPU-7"), std::string::npos) << shared;
  const std::string own = read_file(folder(1) / results::kLogFile);
  EXPECT_EQ(own.find("run.threads"), std::string::npos) << own;
}

TEST_F(TrainingProcessesTest, ACancelledRunMayWriteItsCheckpoint) {
  make(
      "cd ${2%/*}; trap 'touch checkpoint; exit 5' USR2; touch ready; while :; do sleep 0.01; "
      "done");
  start(0);
  start(1);
  ASSERT_TRUE(wrote(0, "ready") && wrote(1, "ready"));
  processes_->cancel(0, {RunState::kInterrupted, "cancelled"});
  processes_->cancel(0, {RunState::kTimeout, "too late"});
  EXPECT_EQ(end_of(0).why, "cancelled");
  EXPECT_TRUE(fs::exists(folder(0) / "checkpoint"));
  EXPECT_FALSE(ends_.contains(1));
  processes_->stop();
  EXPECT_EQ(end_of(1).state, RunState::kInterrupted);
}

TEST_F(TrainingProcessesTest, ARunThatDoesNotEndIsKilledAfterTheGrace) {
  make("cd ${2%/*}; trap '' USR2; touch ready; while :; do sleep 0.01; done",
       {.limits = {.grace_seconds = 0.1}});
  start(0);
  start(1);
  ASSERT_TRUE(wrote(0, "ready") && wrote(1, "ready"));
  processes_->cancel(0, {RunState::kInterrupted, "cancelled"});
  EXPECT_EQ(end_of(0).why, "cancelled, killed 0.1 s after the request to end");
  EXPECT_NE(texts_.find("did not end in time: killed"), std::string::npos) << texts_;
  processes_->stop();
  processes_->kill();
  EXPECT_EQ(end_of(1).why, "signal 9 (Killed)");
}

TEST_F(TrainingProcessesTest, ItsRunsDieWithIt) {
  make("cd ${2%/*}; echo $$ > process; while :; do sleep 0.01; done");
  start(0);
  ASSERT_TRUE(comes_true([&] { return !read_file(folder(0) / "process").empty(); }));
  const pid_t process = std::stoi(read_file(folder(0) / "process"));
  processes_.reset();
  EXPECT_TRUE(comes_true([&] { return !facts_of_process(process); }));
}

}  // namespace runner
