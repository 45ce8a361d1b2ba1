#include "results/events/checkpoints.h"

#include <gtest/gtest.h>

namespace results {

using Steps = std::set<std::int64_t>;

TEST(CheckpointNames, AreReadAsTheyAreWritten) {
  EXPECT_EQ(checkpoint_name({1200}), "checkpoints/1200");
  EXPECT_EQ(checkpoint_name({1200, 3}), "checkpoints/1200.3");
  EXPECT_EQ(checkpoint_place(checkpoint_name({1200})), (CheckpointPlace{1200, 0}));
  EXPECT_EQ(checkpoint_place(checkpoint_name({1200, 3})), (CheckpointPlace{1200, 3}));
  EXPECT_EQ(checkpoint_place("0"), (CheckpointPlace{0, 0}));
  for (const char* other : {"", "01200", "-1", "+1", "12x", "1e3", ".new-12", "best",
                            "99999999999999999999", "12.", "12.0", "12.03", "12.x", ".3", "1.2.3"})
    EXPECT_FALSE(checkpoint_place(other)) << other;
}

TEST(KeptCheckpoints, AreTheLastTwoAndTheBestUntilTheRunIsDone) {
  EXPECT_EQ(kept_checkpoints({1, 2, 3, 4}, {2}, false), (Steps{2, 3, 4}));
  EXPECT_EQ(kept_checkpoints({1, 2, 3, 4}, {1, 4}, false), (Steps{1, 3, 4}));
  EXPECT_EQ(kept_checkpoints({1, 2, 3, 4}, {2}, true), (Steps{2, 4}));
  EXPECT_EQ(kept_checkpoints({1, 2, 3, 4}, {4}, true), (Steps{4}));
}

TEST(KeptCheckpoints, AreAmongThoseThatExist) {
  EXPECT_EQ(kept_checkpoints({}, {2}, false), Steps{});
  EXPECT_EQ(kept_checkpoints({7}, {2}, false), Steps{7});
}

}  // namespace results
