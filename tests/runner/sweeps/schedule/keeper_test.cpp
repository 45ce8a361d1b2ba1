#include "runner/sweeps/schedule/keeper.h"

#include <gtest/gtest.h>
#include <unistd.h>

#include <csignal>
#include <fstream>

#include "results/events/run_folder.h"
#include "tests/runner/run_program.h"

namespace runner {
namespace {

namespace fs = std::filesystem;

RunLimits limits() { return {.timeout_seconds = 100, .grace_seconds = 10, .stall_seconds = 0}; }

int signal_of(const std::vector<RunKeeper::Order>& orders) {
  return orders.empty() ? 0 : orders[0].signal;
}

}  // namespace

TEST(RunKeeper, EndsARunAtItsTimeoutAndKillsItAfterTheGrace) {
  const ScratchFolder folder;
  RunKeeper keeper(limits());
  keeper.started(7, getpid(), folder.path(), 1000);
  EXPECT_EQ(signal_of(keeper.check(1099)), 0);
  EXPECT_EQ(signal_of(keeper.check(1100)), SIGTERM);
  EXPECT_EQ(signal_of(keeper.check(1109)), 0) << "once";
  EXPECT_EQ(signal_of(keeper.check(1110)), SIGKILL);
  EXPECT_EQ(signal_of(keeper.check(2000)), 0);
  const Ended ended = keeper.ended(7, {results::RunState::kSignal, "signal 9"});
  EXPECT_EQ(ended.state, results::RunState::kTimeout);
  EXPECT_EQ(ended.why, "did not end within 100 s, killed 10 s after the request to end");
}

TEST(RunKeeper, KeepsAnEndThatWasNotRequested) {
  const ScratchFolder folder;
  for (const results::RunState end :
       {results::RunState::kDone, results::RunState::kDiverged, results::RunState::kNoRoom}) {
    RunKeeper keeper(limits());
    keeper.started(1, getpid(), folder.path(), 0);
    keeper.end(1, {results::RunState::kInterrupted, "cancelled"}, 1);
    EXPECT_EQ(keeper.ended(1, {end, ""}).state, end);
  }
}

TEST(RunKeeper, KeepsTheFirstReason) {
  const ScratchFolder folder;
  RunKeeper keeper(limits());
  keeper.started(1, getpid(), folder.path(), 0);
  keeper.end(1, {results::RunState::kInterrupted, "cancelled"}, 95);
  EXPECT_TRUE(keeper.check(101).empty());
  EXPECT_EQ(signal_of(keeper.check(105)), SIGKILL);
  EXPECT_EQ(keeper.ended(1, {results::RunState::kSignal, ""}).why,
            "cancelled, killed 10 s after the request to end");
  EXPECT_EQ(keeper.ended(1, {results::RunState::kSignal, "signal 9"}).why, "signal 9")
      << "forgotten";
}

TEST(RunKeeper, ReportsAStallOnce) {
  const ScratchFolder folder;
  constexpr pid_t kNoProcess = 1 << 30;
  RunKeeper keeper({.stall_seconds = 100});
  keeper.started(1, kNoProcess, folder.path(), 0);
  EXPECT_TRUE(keeper.check(0).empty());
  EXPECT_TRUE(keeper.check(99).empty());
  ASSERT_EQ(keeper.check(105).size(), 1u);
  EXPECT_TRUE(keeper.check(200).empty());
  std::ofstream(folder.path() / "events.jsonl") << "an event";
  EXPECT_TRUE(keeper.check(300).empty());
  EXPECT_EQ(keeper.check(401).size(), 1u);
}

TEST(ShortenLog, KeepsBothEndsAndNotesWhatItRemoved) {
  const ScratchFolder folder;
  const fs::path log = folder.path() / results::kLogFile;
  std::ofstream(log) << "begin" << std::string(10000, 'x') << "end";
  EXPECT_EQ(shorten_log(log, 10008), 0u);
  EXPECT_EQ(shorten_log(log, 1000), 10008u - 500u);
  const std::string text = read_file(log);
  EXPECT_TRUE(text.starts_with("beginxxx") && text.ends_with("xxxend")) << text;
  EXPECT_NE(text.find("\n... lcsm run removed 9508 bytes here"), std::string::npos) << text;
  EXPECT_LT(text.size(), 1000u);
  EXPECT_EQ(shorten_log(folder.path() / "none", 1), 0u);
}

}  // namespace runner
