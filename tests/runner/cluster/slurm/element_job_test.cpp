#include "runner/cluster/slurm/element_job.h"

#include <gtest/gtest.h>

#include <cstdlib>

#include "runner/base/process/process_facts.h"

namespace runner {
namespace {

class ElementJobTest : public testing::Test {
 protected:
  void TearDown() override {
    for (const char* name : {"SLURM_ARRAY_JOB_ID", "SLURM_ARRAY_TASK_ID", "SLURM_JOB_ID",
                             "SLURMD_NODENAME", "CUDA_VISIBLE_DEVICES"})
      unsetenv(name);
  }
};

using Names = std::vector<std::string>;

TEST_F(ElementJobTest, IsReadFromTheEnvironment) {
  EXPECT_EQ(this_element().id, "");
  EXPECT_EQ(this_element().node, host_name());
  EXPECT_FALSE(seconds_left(this_element()));
  setenv("SLURM_JOB_ID", "15", 1);
  EXPECT_EQ(this_element().id, "15");
  setenv("SLURM_ARRAY_JOB_ID", "12", 1);
  setenv("SLURM_ARRAY_TASK_ID", "3", 1);
  setenv("SLURMD_NODENAME", "n7", 1);
  EXPECT_EQ(this_element().id, "12_3");
  EXPECT_EQ(this_element().node, "n7");
}

TEST_F(ElementJobTest, HasTheGpusThatSlurmGave) {
  EXPECT_EQ(gpus_of_element(), Names{});
  setenv("CUDA_VISIBLE_DEVICES", "0,3", 1);
  EXPECT_EQ(gpus_of_element(), (Names{"0", "3"}));
  setenv("CUDA_VISIBLE_DEVICES", "GPU-1a2b", 1);
  EXPECT_EQ(gpus_of_element(), Names{"GPU-1a2b"});
  for (const char* none : {"", "NoDevFiles"}) {
    setenv("CUDA_VISIBLE_DEVICES", none, 1);
    EXPECT_EQ(gpus_of_element(), Names{});
  }
}

TEST_F(ElementJobTest, ReadsTheTimeThatIsLeft) {
  EXPECT_EQ(seconds_of_slurm("1-02:03:04"), 93784);
  EXPECT_EQ(seconds_of_slurm("2:03:04"), 7384);
  EXPECT_EQ(seconds_of_slurm("3:04"), 184);
  EXPECT_EQ(seconds_of_slurm("0:00"), 0);
  for (const char* none : {"", "UNLIMITED", "INVALID", "NOT_SET", "1-", "-3:04", "a:b", "1:2:3:4"})
    EXPECT_FALSE(seconds_of_slurm(none)) << none;
}

}  // namespace
}  // namespace runner
