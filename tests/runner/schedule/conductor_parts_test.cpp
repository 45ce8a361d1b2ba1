#include "runner/schedule/conductor_parts.h"

#include <gtest/gtest.h>

namespace runner {

TEST(ConductorParts, NoteWhenARunStartsAgain) {
  Scheduler::Entry entry;
  entry.not_before = 110;
  entry.starts = 2;
  const EndNote waits = note_of(entry, {Outcome::kSignal, "signal 11"}, 100);
  EXPECT_EQ(waits.outcome, "killed by a signal");
  EXPECT_EQ(waits.starts_again, 10);
  entry.state = Scheduler::State::kEnded;
  EXPECT_LT(note_of(entry, {Outcome::kDiverged, ""}, 100).starts_again, 0);
}

}  // namespace runner
