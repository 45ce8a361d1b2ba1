#include "runner/sweeps/schedule/on_finish.h"

#include <gtest/gtest.h>

#include "tests/runner/run_program.h"

namespace runner {
namespace {

RunCounts counts(int done, int failed = 0, int left = 0) {
  RunCounts counts;
  for (int i = 0; i < done; ++i) counts.add(results::RunState::kDone);
  for (int i = 0; i < failed; ++i) counts.add(results::RunState::kDiverged);
  for (int i = 0; i < left; ++i) counts.add(results::RunState::kInterrupted);
  return counts;
}

}  // namespace

TEST(OnFinish, TheCommandGetsTheStateOfTheSweep) {
  const ScratchFolder scratch;
  const std::string file = (scratch.path() / "output").string();
  const SweepEnd end{"mine", counts(7, 2, 1), true, false};
  EXPECT_EQ(run_on_finish(
                "echo $LCSM_SWEEP $LCSM_STATUS $LCSM_DONE $LCSM_FAILED $LCSM_LEFT > " + file, end),
            "");
  EXPECT_EQ(read_file(file), "mine failed 7 2 1\n");
}

TEST(OnFinish, ReportsAFailingCommand) {
  EXPECT_EQ(run_on_finish("exit 7", {"mine", {}}), "--on-finish ended with exit status 7: exit 7");
  EXPECT_EQ(run_on_finish("kill -9 $$", {"mine", {}}),
            "--on-finish ended with signal 9: kill -9 $$");
}

TEST(OnFinish, NamesEachEnd) {
  EXPECT_EQ((SweepEnd{"mine", counts(3), true, false}.status()), "done");
  EXPECT_EQ((SweepEnd{"mine", counts(3), false, false}.status()), "nothing-to-do");
  EXPECT_EQ((SweepEnd{"mine", counts(3, 1), false, false}.status()), "failed");
  EXPECT_EQ((SweepEnd{"mine", counts(3, 0, 2), true, true}.status()), "interrupted");
}

}  // namespace runner
