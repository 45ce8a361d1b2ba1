#include "runner/base/text/counts.h"

#include <gtest/gtest.h>

namespace runner {

TEST(Counts, OmitZeros) {
  EXPECT_EQ(counts_text({{3, "done"}, {0, "running"}, {12, "failed"}}), "3 done, 12 failed");
  EXPECT_EQ(counts_text({{0, "done"}}), "");
}

TEST(Counts, OneIsSingular) {
  EXPECT_EQ(counted(1, "run") + ", " + counted(0, "run") + ", " + counted(12, "run"),
            "1 run, 0 runs, 12 runs");
}

}  // namespace runner
