// `lcsm run` controlled from another terminal, and training processes that misbehave.
#include <gtest/gtest.h>
#include <signal.h>
#include <unistd.h>

#include <fstream>
#include <nlohmann/json.hpp>

#include "runner/base/process/process_facts.h"
#include "tests/runner/fake_sweep.h"
#include "tests/runner/pseudo_terminal.h"
#include "tests/runner/run_program.h"

namespace runner {
namespace {

namespace fs = std::filesystem;

using SweepControl = WithPrograms;

// The process that trains the run, once its attempt has begun.
pid_t trainer_of(const FakeSweep& sweep, Background& run, int way) {
  comes_true([&] { return run.over() || sweep.state(way) == "running"; });
  const std::vector<pid_t> children = children_of(run.id());
  return children.empty() ? -1 : children[0];
}

bool has_exited(pid_t process) {
  return comes_true([&] {
    const auto facts = facts_of_process(process);
    return !facts || facts->state == 'Z';
  });
}

}  // namespace

TEST_F(SweepControl, CancelsARunningRunAndRetriesIt) {
  const FakeSweep sweep("10");
  Background run(sweep.run_words(), sweep.folder() / "output");
  trainer_of(sweep, run, 10);
  const std::string id = sweep.id(10).substr(0, 8);
  EXPECT_EQ(sweep.lcsm({"cancel", id}).out, id + "  cancelled: it writes a checkpoint and stops\n");
  EXPECT_EQ(run.wait(), 0) << run.output();
  EXPECT_TRUE(has(run.output(), "mine: 0 done, 0 failed, 0 left, 1 cancelled of 1"))
      << run.output();
  EXPECT_EQ(sweep.state(10), "cancelled");
  EXPECT_EQ(sweep.run().out, "mine: 0 done, 1 cancelled, nothing to do\n");
  EXPECT_TRUE(has(sweep.lcsm({"why", id}).out, "cancelled by "));
  EXPECT_EQ(sweep.lcsm({"retry", id}).out, id + "  no longer cancelled\n");
  EXPECT_EQ(sweep.state(10), "interrupted");
}

TEST_F(SweepControl, GoesOnInTheBackground) {
  const FakeSweep sweep("10");
  const Ran ran = sweep.run({"--detach"});
  EXPECT_EQ(ran.status, 0) << ran.err;
  const std::size_t at = ran.out.find("process ");
  ASSERT_NE(at, std::string::npos) << ran.out;
  const pid_t process = std::stoi(ran.out.substr(at + 8));
  EXPECT_TRUE(comes_true([&] { return sweep.state(10) == "running"; }));
  EXPECT_EQ(getsid(process), process);
  kill(process, SIGINT);
  EXPECT_TRUE(has_exited(process));
  EXPECT_EQ(sweep.state(10), "interrupted");
  EXPECT_TRUE(has(read_file(sweep.workspace() / "run.log"), "1 run to do"));
}

// The run's error messages are shown, not only logged.
TEST_F(SweepControl, InTheBackgroundItEndsAsInTheForeground) {
  const FakeSweep sweep("20");
  const Ran refused = sweep.run({"--on", "slurm"});
  const Ran detached = sweep.run({"--on", "slurm", "--detach"});
  EXPECT_NE(refused.status, 0);
  EXPECT_EQ(detached.status, refused.status);
  EXPECT_TRUE(has(detached.err, refused.err)) << detached.err;
}

TEST_F(SweepControl, RefusesMalformedTimesBeforeItGoesIntoTheBackground) {
  const FakeSweep sweep("10");
  for (const char* option : {"--timeout", "--grace", "--still"}) {
    const Ran ran = sweep.run({option, "5x", "--detach"});
    EXPECT_EQ(ran.status, 2);
    EXPECT_TRUE(has(ran.err, std::string(option) + ": expected a duration")) << ran.err;
  }
}

TEST_F(SweepControl, CancelsAllRunsOfASweepAndRetriesThem) {
  const FakeSweep sweep("20, 21");
  fs::create_directories(sweep.workspace());
  const std::string name = sweep.file().string();
  EXPECT_TRUE(has(sweep.lcsm({"cancel", name}).out, name + ": 2 of 2 runs\n"));
  EXPECT_EQ(sweep.lcsm({"cancel", name}).out, name + ": 0 of 2 runs\n");
  const Ran none = sweep.run();
  EXPECT_EQ(none.status, 0);
  EXPECT_EQ(none.out, "mine: 0 done, 2 cancelled, nothing to do\n");
  EXPECT_EQ(none.err, "lcsm run: 2 runs cancelled; to train after all: `lcsm retry " + name +
                          " --workspace " + sweep.workspace().string() +
                          "`, then the same command\n");
  sweep.lcsm({"retry", sweep.id(21)});
  EXPECT_EQ(last_line(sweep.run().out), "mine: 1 done, 0 failed, 0 left, 1 cancelled of 2\n");
  EXPECT_EQ(sweep.lcsm({"retry", name, "--scale", "paper"}).err, "");
  EXPECT_EQ(last_line(sweep.run().out), "mine: 2 done, 0 failed, 0 left of 2\n");
}

// The sweep is a file that `lcsm sweeps` does not list.
TEST_F(SweepControl, FindsWaitingRunsByTheirIdsAndValues) {
  const FakeSweep sweep("10, 11");
  Words words = sweep.run_words();
  words.insert(words.end(), {"--jobs", "1"});
  Background run(words, sweep.folder() / "output");
  trainer_of(sweep, run, 10);
  const std::string id = sweep.id(11).substr(0, 8);
  EXPECT_TRUE(has(sweep.lcsm({"why", id}).out, "task.seed = 11")) << sweep.lcsm({"why", id}).err;
  EXPECT_EQ(sweep.lcsm({"why", "task.seed = 11"}).out, sweep.lcsm({"why", id}).out);
  EXPECT_EQ(sweep.lcsm({"cancel", id}).out, id + "  cancelled  task.seed = 11\n");
  sweep.lcsm({"cancel", sweep.id(10)});
  EXPECT_EQ(run.wait(), 0) << run.output();
  EXPECT_TRUE(has(sweep.lcsm({"watch"}).out, "0 left, 2 cancelled of 2"));
}

TEST_F(SweepControl, ReportsWhatCannotBeCancelledOrRetried) {
  const FakeSweep sweep("1");
  sweep.run();
  const std::string id = sweep.id(1).substr(0, 8);
  EXPECT_EQ(sweep.lcsm({"cancel", id}).out, id + "  done: nothing to cancel\n");
  EXPECT_EQ(sweep.lcsm({"retry", id}).out, id + "  done: nothing to retry\n");
  EXPECT_EQ(sweep.lcsm({"cancel", "0000"}).status, 2);
  EXPECT_EQ(sweep.lcsm({"jobs", "many"}).err,
            "lcsm jobs: expected 0 to 4096 runs at a time, or 'default', got 'many'\n");
}

TEST_F(SweepControl, RetriesNoRunWhoseEventsAreDamaged) {
  const FakeSweep sweep("1");
  sweep.run();
  std::ofstream(sweep.folder_of(1) / "events.jsonl") << "no event\nno event\n";
  const std::string id = sweep.id(1).substr(0, 8);
  EXPECT_EQ(sweep.lcsm({"retry", id}).out,
            id + "  refused: `lcsm why " + id + "` says what to repair first\n");
  const Ran ran = sweep.run({"--retry"});
  EXPECT_EQ(ran.status, 1) << ran.err;
  EXPECT_FALSE(has(ran.err, "to do")) << ran.err;
}

TEST_F(SweepControl, RetriesAFailedRunWhileOthersRun) {
  const FakeSweep sweep("6, 10");
  Background run(sweep.run_words({"--jobs", "2"}), sweep.folder() / "output");
  ASSERT_TRUE(comes_true([&] { return sweep.state(6) == "failed"; })) << run.output();
  ASSERT_TRUE(comes_true([&] { return has(run.output(), "diverged: exit status 6"); }));
  const fs::path events = sweep.folder_of(6) / "events.jsonl";
  const auto before = fs::file_size(events);
  sweep.lcsm({"retry", sweep.id(6)});
  EXPECT_TRUE(comes_true([&] { return fs::file_size(events) > before; })) << run.output();
  kill(run.id(), SIGINT);
  EXPECT_EQ(run.wait(), 5) << run.output();
}

TEST_F(SweepControl, LosesNothingWhenTheTerminalHangsUp) {
  for (const Words& more : {Words{}, Words{"--plain"}}) {
    const FakeSweep sweep("10");
    PseudoTerminal terminal(sweep.run_words(more), {"LC_ALL=C.UTF-8"});
    ASSERT_TRUE(comes_true([&] { return sweep.state(10) == "running"; }));
    terminal.hang_up();
    EXPECT_EQ(terminal.wait(), 5);
    EXPECT_EQ(sweep.state(10), "interrupted");
  }
}

TEST_F(SweepControl, ContinuesAfterItsOutputIsClosed) {
  const FakeSweep sweep("20, 21");
  Words words = {"sh", "-c", "\"$@\" 2>&1 >'" + (sweep.folder() / "out").string() + "' | true",
                 "sh"};
  const Words run = sweep.run_words({"--jobs", "1"});
  words.insert(words.end(), run.begin(), run.end());
  run_program(words, {"FAKE_STEP_MS=50"});
  EXPECT_EQ(sweep.state(20), "done");
  EXPECT_EQ(sweep.state(21), "done");
}

TEST_F(SweepControl, PausesAndContinues) {
  const FakeSweep sweep("1");
  fs::create_directories(sweep.workspace());
  EXPECT_EQ(sweep.lcsm({"jobs", "0"}).out, "0\n");
  Background run(sweep.run_words(), sweep.folder() / "output");
  EXPECT_TRUE(comes_true([&] { return has(run.output(), "paused: no run starts"); }));
  EXPECT_TRUE(has(sweep.lcsm({"why", sweep.id(1)}).out, "paused by `lcsm jobs 0`"));
  EXPECT_TRUE(has(sweep.lcsm({"jobs"}).err, ", paused\n"));
  EXPECT_EQ(sweep.lcsm({"jobs", "default"}).out, "default\n");
  EXPECT_EQ(run.wait(), 0) << run.output();
}

TEST_F(SweepControl, EndsRunsAtTheirTimeoutAndResumesThemLater) {
  const FakeSweep sweep("10, 16");
  const Ran ran = sweep.run({"--jobs", "2", "--timeout", "2s", "--grace", "0.2s"});
  EXPECT_EQ(ran.status, 1);
  EXPECT_EQ(ran.out, "mine: 0 done, 0 failed, 2 left of 2\n") << ran.err;
  const std::size_t first = ran.err.find("[1/2]");
  ASSERT_NE(first, std::string::npos) << ran.err;
  const std::string ended = ran.err.substr(first, ran.err.find('\n', first) - first);
  EXPECT_TRUE(has(ended, "timeout: did not end within 2 s")) << ran.err;
  EXPECT_FALSE(has(ended, "killed")) << ran.err;
  EXPECT_TRUE(
      has(ran.err, "timeout: did not end within 2 s, killed 0.2 s after the request to end"));
  EXPECT_EQ(sweep.state(10), "interrupted");
  const Ran why = sweep.lcsm({"why", sweep.id(16)});
  EXPECT_TRUE(has(why.out, "timeout after step 0: did not end within 2 s, killed")) << why.out;
}

TEST_F(SweepControl, ReportsAStalledRunAndLetsItContinue) {
  const FakeSweep sweep("20");
  Background run(sweep.run_words({"--still", "0.4s"}), sweep.folder() / "output",
                 {"FAKE_STEP_MS=100"});
  const pid_t trainer = trainer_of(sweep, run, 20);
  ASSERT_GT(trainer, 0) << run.output();
  kill(trainer, SIGSTOP);
  EXPECT_TRUE(comes_true([&] { return has(run.output(), "0.4 s (it is stopped)"); }))
      << run.output();
  kill(trainer, SIGCONT);
  EXPECT_EQ(run.wait(), 0) << run.output();
}

TEST_F(SweepControl, LogsARunUntilItEnds) {
  const FakeSweep sweep("20");
  Background run(sweep.run_words(), sweep.folder() / "output", {"FAKE_STEP_MS=30"});
  trainer_of(sweep, run, 20);
  const Ran log = sweep.lcsm({"log", sweep.id(20), "-f"});
  EXPECT_EQ(log.status, 0) << log.err;
  EXPECT_TRUE(has(log.out, "begins       from step 0")) << log.out;
  EXPECT_TRUE(has(log.out, "metrics      step 6  test.accuracy "));
  EXPECT_TRUE(has(log.out, "done         at step 6\n"));
  EXPECT_EQ(run.wait(), 0);
}

TEST_F(SweepControl, ReportsWhyARunFailed) {
  const FakeSweep sweep("4");
  sweep.run({"--retries", "0"});
  const Ran why = sweep.lcsm({"why", sweep.id(4).substr(0, 6), "--json"});
  const auto json = nlohmann::json::parse(why.out);
  EXPECT_EQ(json["schema"], "lcsm.why/1");
  EXPECT_EQ(json["state"], "failed");
  EXPECT_EQ(json["end"]["outcome"], "disk full");
  EXPECT_EQ(json["end"]["why"], "exit status 4");
  EXPECT_EQ(json["next"], "free some disk space; the next `lcsm run` of its sweep starts it");
}

// Runs that ended in different ways, one of them before its first event.
TEST_F(SweepControl, CountsTheSameInAllViews) {
  const FakeSweep sweep("1, 3, 4, 6, 8, 9, 10");
  fs::create_directories(sweep.workspace());
  sweep.lcsm({"cancel", sweep.id(10)});
  const std::string name = sweep.file().string();
  const std::string before = "points      7: 1 cancelled, 6 new\n";
  EXPECT_TRUE(has(sweep.lcsm({"plan", name}).out, before));
  EXPECT_TRUE(has(sweep.lcsm({"status", name}).out, before));
  const Ran ran = sweep.run({"--retries", "0"});
  EXPECT_EQ(last_line(ran.out), "mine: 1 done, 4 failed, 1 left, 1 cancelled of 7\n") << ran.err;
  EXPECT_EQ(sweep.lcsm({"watch"}).out, last_line(ran.out));
  const std::string after = "points      7: 1 done, 4 failed, 1 interrupted, 1 cancelled\n";
  EXPECT_TRUE(has(sweep.lcsm({"plan", name}).out, after)) << sweep.lcsm({"plan", name}).out;
  EXPECT_TRUE(has(sweep.lcsm({"status"}).out, after)) << sweep.lcsm({"status"}).out;
  const auto plan = nlohmann::json::parse(sweep.lcsm({"plan", name, "--json"}).out)["states"];
  const auto status = nlohmann::json::parse(sweep.lcsm({"status", "--json"}).out)["states"];
  for (const char* state : {"done", "failed", "interrupted", "cancelled", "running"})
    EXPECT_EQ(plan[state], status[state]) << state;
  EXPECT_EQ(plan["new"], status["waiting"]);
}

TEST_F(SweepControl, CountsRunsThatFailedBefore) {
  const FakeSweep sweep("6");
  sweep.run();
  std::ofstream(sweep.file(), std::ios::app) << "[scale.more]\ngrid.task.seed = [1, 6]\n";
  const Ran ran = sweep.run({"--scale", "more"});
  EXPECT_EQ(last_line(ran.out), "mine: 1 done, 1 failed, 0 left of 2\n");
  EXPECT_EQ(ran.status, 1);
}

TEST_F(SweepControl, LimitsTheSizeOfALog) {
  const FakeSweep sweep("13");
  const ScratchFolder disk(fs::temp_directory_path());
  if (!can_cut_files(disk.path())) GTEST_SKIP() << disk.path() << " is not on ext4 or XFS";
  fs::create_directory_symlink(disk.path(), sweep.workspace());
  EXPECT_EQ(sweep.run().status, 0);
  const fs::path log = sweep.folder_of(13) / "stderr.log";
  EXPECT_LE(fs::file_size(log), 64'000'000u);
  EXPECT_TRUE(has(read_file(log), "the middle here: a log has at most"));
}

TEST_F(SweepControl, SurvivesChildrenOfAChildAndAClockThatIsSetBack) {
  const FakeSweep sweep("14, 15");
  EXPECT_EQ(sweep.run().status, 0);
  const Ran log = sweep.lcsm({"log", sweep.id(15)});
  EXPECT_LT(log.out.find("begins"), log.out.find("done")) << log.out;
  EXPECT_EQ(sweep.state(15), "done");
}

TEST_F(SweepControl, ResumesAtOnceAfterAKillOfAllProcesses) {
  const FakeSweep sweep("20");
  pid_t trainer = -1;
  {
    Background run(sweep.run_words(), sweep.folder() / "output", {"FAKE_STEP_MS=1000"});
    trainer = trainer_of(sweep, run, 20);
  }
  ASSERT_GT(trainer, 0);
  const Ran next = sweep.run();
  EXPECT_EQ(last_line(next.out), "mine: 1 done, 0 failed, 0 left of 1\n") << next.err;
  EXPECT_TRUE(has_exited(trainer));
}

TEST_F(SweepControl, ReportsAWorkspaceThatCannotBeWritten) {
  const FakeSweep sweep("1");
  std::ofstream(sweep.workspace()) << "a file";
  const Ran ran = sweep.run();
  EXPECT_EQ(ran.status, 4);
  EXPECT_TRUE(has(ran.err, sweep.workspace().string())) << ran.err;
}

TEST_F(SweepControl, GivesEachGpuItsRuns) {
  const fs::path fake = program_beside("libfake_nvml.so");
  if (fake.empty()) GTEST_SKIP() << "the fake NVML was not built";
  const FakeSweep sweep("1, 31, 32, 33");
  fs::create_symlink(fake, sweep.folder() / "libnvidia-ml.so.1");
  const Words here = {"LD_LIBRARY_PATH=" + sweep.folder().string()};
  const Ran ran = sweep.run({"--gpus", "all"}, here);
  EXPECT_EQ(ran.status, 0) << ran.err;
  EXPECT_TRUE(has(ran.err, "4 runs to do, 2 at a time")) << ran.err;
  const Ran used = sweep.lcsm(
      {"query", "SELECT DISTINCT value FROM environments WHERE name = 'gpu'", "--format", "csv"});
  EXPECT_TRUE(has(used.out, "GPU-1-2") && has(used.out, "GPU-1-3")) << used.out;
  const Ran three = sweep.run({"--gpus", "3"}, here);
  EXPECT_EQ(three.status, 3);
  EXPECT_TRUE(has(three.err, "expected that many GPUs, got 2")) << three.err;
  for (const auto& [gpus, refusal] :
       {std::pair{"GPU-1-2,GPU-1-3,GPU-1-2", "expected each GPU once, got GPU-1-2 twice"},
        std::pair{"GPU-1-2,,GPU-1-3", "got '', which matches none of 2"}}) {
    const Ran refused = sweep.run({"--gpus", gpus}, here);
    EXPECT_EQ(refused.status, 3) << gpus;
    EXPECT_TRUE(has(refused.err, refusal)) << refused.err;
  }
}

}  // namespace runner
