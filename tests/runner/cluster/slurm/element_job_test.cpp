#include "runner/cluster/slurm/element_job.h"

#include <gtest/gtest.h>

namespace runner {
namespace {

TEST(ElementJob, ReadsTheTimeThatIsLeft) {
  EXPECT_EQ(seconds_of_slurm("1-02:03:04"), 93784);
  EXPECT_EQ(seconds_of_slurm("2:03:04"), 7384);
  EXPECT_EQ(seconds_of_slurm("3:04"), 184);
  EXPECT_EQ(seconds_of_slurm("0:00"), 0);
  for (const char* none : {"", "UNLIMITED", "INVALID", "NOT_SET", "1-", "-3:04", "a:b", "1:2:3:4"})
    EXPECT_FALSE(seconds_of_slurm(none)) << none;
}

}  // namespace
}  // namespace runner
