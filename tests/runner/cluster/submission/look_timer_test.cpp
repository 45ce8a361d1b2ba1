#include "runner/cluster/submission/look_timer.h"

#include <gtest/gtest.h>

namespace runner {
namespace {

// The number of polls in a day during which the queue changes every `changes_every` seconds.
int looks(double changes_every) {
  LookTimer timer(0);
  double changed = 0;
  int count = 0;
  for (double now = 0; now < 86400; ++now) {
    if (!timer.is_due(now)) continue;
    const bool change = now - changed >= changes_every;
    if (change) changed = now;
    timer.looked(now, change);
    ++count;
  }
  return count;
}

TEST(LookTimer, AQuietQueueIsAskedOnceAMinute) {
  EXPECT_LE(looks(1e9), 86400 / 60 + 6);
  EXPECT_GE(looks(1e9), 86400 / 60 - 6);
}

TEST(LookTimer, ABusyOneAtMostThirtyTimesAMinute) { EXPECT_LE(looks(0), 86400 / 2); }

}  // namespace
}  // namespace runner
