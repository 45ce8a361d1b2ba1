#include "results/events/kept_lines.h"

#include <gtest/gtest.h>

namespace results {

TEST(KeptLines, AnAttemptDiscardsWhatFollowsTheLineThatItResumesFrom) {
  KeptLines kept;
  EXPECT_TRUE(kept.counts(7));
  kept.note(AttemptLine{0, 0, {}}, 2);
  kept.note(MetricsLine{}, 3);
  kept.note(AttemptLine{100, 4, {}}, 9);
  for (const int line : {2, 3, 4, 9, 10}) EXPECT_TRUE(kept.counts(line)) << line;
  for (const int line : {5, 8}) EXPECT_FALSE(kept.counts(line)) << line;
  kept.note(AttemptLine{0, 0, {}}, 12);
  for (const int line : {2, 4, 9, 11}) EXPECT_FALSE(kept.counts(line)) << line;
  EXPECT_TRUE(kept.counts(12));
}

}  // namespace results
