#include "runner/sweeps/schedule/conductor_parts.h"

#include <gtest/gtest.h>

namespace runner {

using results::RunState;

TEST(ConductorParts, NoteWhenARunStartsAgain) {
  Scheduler::Entry entry;
  entry.queued = true;
  entry.not_before = 110;
  entry.starts = 2;
  const EndNote waits = note_of(entry, {RunState::kSignal, "signal 11"}, 100);
  EXPECT_EQ(waits.state, RunState::kSignal);
  EXPECT_EQ(waits.starts_again, 10);
  entry.queued = false;
  EXPECT_LT(note_of(entry, {RunState::kDiverged, ""}, 100).starts_again, 0);
}

TEST(ConductorParts, RunsNeedTheDiskThatTheyWrite) {
  const std::vector<RunToDo> small(2, {.disk_bytes = 1e6});
  EXPECT_LT(least_disk_bytes(small, 2), 30e6);
  EXPECT_GT(least_disk_bytes(small, 4), least_disk_bytes(small, 2));
  EXPECT_GE(least_disk_bytes({{.disk_bytes = 1e6}, {.disk_bytes = 1e10}}, 1), 1e10);
  EXPECT_EQ(little_disk(1e6), "1 MB of disk space left: a run starts only if its checkpoints fit");
  EXPECT_EQ(little_disk(1e10), "");
}

}  // namespace runner
