#include "runner/sweeps/schedule/keeper.h"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <csignal>
#include <fstream>
#include <thread>

#include "lcsm/files/open_file.h"
#include "results/events/run_folder.h"
#include "runner/base/process/stop_signals.h"
#include "tests/runner/run_program.h"

namespace runner {
namespace {

namespace fs = std::filesystem;

RunLimits limits() { return {.timeout_seconds = 100, .grace_seconds = 10, .stall_seconds = 0}; }

int signal_of(const std::vector<RunKeeper::Order>& orders) {
  return orders.empty() ? 0 : orders[0].signal;
}

class ShortenLog : public testing::Test {
 protected:
  void SetUp() override {
    if (!can_cut_files(folder_.path()))
      GTEST_SKIP() << "the file system of " << folder_.path() << " cannot cut a file in place";
  }
  const ScratchFolder folder_{fs::temp_directory_path()};
  const fs::path log_ = folder_.path() / results::kLogFile;
};

}  // namespace

TEST(RunKeeper, EndsARunAtItsTimeoutAndKillsItAfterTheGrace) {
  const ScratchFolder folder;
  RunKeeper keeper(limits());
  keeper.started(7, getpid(), folder.path(), 1000);
  EXPECT_EQ(signal_of(keeper.check(1099)), 0);
  EXPECT_EQ(signal_of(keeper.check(1100)), kStopRequest);
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

TEST_F(ShortenLog, KeepsBothEndsAndNotesThatItRemovedTheMiddle) {
  std::ofstream(log_) << "begin" << std::string(200000, 'x') << "end";
  EXPECT_EQ(shorten_log(log_, 200008), 0u);
  const std::uintmax_t removed = shorten_log(log_, 100000);
  const std::string text = read_file(log_);
  EXPECT_TRUE(text.starts_with("beginxxx") && text.ends_with("xxxend")) << text;
  EXPECT_NE(text.find("x\n... lcsm run removed the middle here"), std::string::npos) << text;
  EXPECT_EQ(text.size(), 200008 - removed);
  EXPECT_LT(text.size(), 100000u);
  EXPECT_EQ(shorten_log(folder_.path() / "none", 1), 0u);
}

TEST_F(ShortenLog, LosesNothingThatIsWrittenMeanwhile) {
  const std::string line = std::string(63, 'x') + "\n";
  constexpr std::uintmax_t kLines = 200000;
  std::thread writer([&] {
    const lcsm::OpenFile log(log_, O_WRONLY | O_CREAT | O_APPEND);
    for (std::uintmax_t i = 0; i < kLines; ++i) lcsm::write_all(log.handle(), line);
  });
  std::uintmax_t removed = 0;
  while (removed < kLines * line.size() / 2) removed += shorten_log(log_, 100000);
  writer.join();
  EXPECT_EQ(fs::file_size(log_), kLines * line.size() - removed);
}

}  // namespace runner
