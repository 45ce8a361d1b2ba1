#include "runner/schedule/conductor.h"

#include <gtest/gtest.h>
#include <signal.h>
#include <unistd.h>

#include <fstream>
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

}  // namespace

TEST_F(SweepRun, RunsWhatIsMissingAndNothingTwice) {
  const Ran first = run("1");
  EXPECT_EQ(first.status, 0) << first.err;
  EXPECT_EQ(first.out, "mine: 1 done, 0 failed, 0 left of 1\n");
  const Ran again = run("1");
  EXPECT_EQ(again.status, 0);
  EXPECT_EQ(again.out, "mine: 1 done, nothing to do\n");
  EXPECT_EQ(run("1, 12").out, "mine: 2 done, 0 failed, 0 left of 2\n");
}

TEST_F(SweepRun, NamesEachEndAndGoesOn) {
  const Ran ran = run("1, 2, 3, 4, 6, 7, 8, 9, 12, 33");
  EXPECT_EQ(ran.status, 1);
  for (const char* what :
       {"bad configuration: exit status 2", "data missing: exit status 3",
        "disk full: exit status 4", "diverged: exit status 6", "out of memory: exit status 7",
        "busy: exit status 8", "killed by a signal: signal 11 (Segmentation fault)"})
    EXPECT_EQ(lines_with(ran.err, what), 1u) << what << "\n" << ran.err;
  EXPECT_EQ(ran.out, "mine: 3 done, 6 failed, 1 left of 10\n");
}

TEST_F(SweepRun, StartsAgainWhatWasLostButWhatHasFailedOnlyWhenAsked) {
  EXPECT_EQ(run("11").status, 1) << "killed at its first try";
  EXPECT_EQ(run("11").out, "mine: 1 done, 0 failed, 0 left of 1\n");
  EXPECT_EQ(run("6").status, 1);
  const Ran again = run("6");
  EXPECT_EQ(again.out, "mine: 0 done, nothing to do\n");
  EXPECT_EQ(again.err, "lcsm run: 1 runs have failed before: --retry starts them again\n");
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

TEST_F(SweepRun, HasOneWorkspaceForItself) {
  fs::create_directories(workspace());
  const WorkspaceRunLock lock(workspace(), "another");
  const Ran ran = run("1");
  EXPECT_EQ(ran.status, 1);
  const std::string who = "process " + std::to_string(getpid()) + " (another) of ";
  EXPECT_TRUE(ran.err.starts_with("lcsm run: this workspace is run by " + who)) << ran.err;
  EXPECT_TRUE(ran.err.ends_with("take another workspace by --workspace DIR\n"));
  EXPECT_TRUE(who_runs(workspace())->text().starts_with(who));
}

TEST_F(SweepRun, GivesRunsTheirShareOfTheCoresUnlessTheyNameTheirThreads) {
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

TEST_F(SweepRun, StopsAtASignalAndGoesOnLater) {
  std::thread stopper([this] {
    const auto started = [this] {
      for (const auto& entry : fs::recursive_directory_iterator(workspace()))
        if (entry.path().filename() == "events.jsonl") return true;
      return false;
    };
    for (int i = 0; i < 400 && !(who_runs(workspace()) && started()); ++i)
      std::this_thread::sleep_for(std::chrono::milliseconds(50));
    if (const auto who = who_runs(workspace())) kill(who->process, SIGINT);
  });
  const Ran ran = run("10");
  stopper.join();
  EXPECT_EQ(ran.status, 5) << ran.err;
  EXPECT_EQ(ran.out, "mine: 0 done, 0 failed, 1 left of 1\n");
}

}  // namespace runner
