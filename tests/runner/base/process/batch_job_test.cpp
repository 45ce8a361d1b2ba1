#include "runner/base/process/batch_job.h"

#include <gtest/gtest.h>

#include <cstdlib>

#include "runner/base/process/process_facts.h"

namespace runner {

TEST(BatchJob, IsReadFromTheEnvironment) {
  const char* const variables[] = {"SLURM_ARRAY_JOB_ID", "SLURM_ARRAY_TASK_ID",
                                   "SLURM_JOB_ID",       "SLURMD_NODENAME",
                                   "LCSM_JOB",           "LCSM_NODE"};
  EXPECT_EQ(this_batch_job().id, "");
  EXPECT_EQ(this_batch_job().node, host_name());
  setenv("SLURM_JOB_ID", "15", 1);
  EXPECT_EQ(this_batch_job().id, "15");
  setenv("SLURM_ARRAY_JOB_ID", "12", 1);
  setenv("SLURM_ARRAY_TASK_ID", "3", 1);
  setenv("SLURMD_NODENAME", "n7", 1);
  EXPECT_EQ(this_batch_job().id, "12_3");
  EXPECT_EQ(this_batch_job().node, "n7");
  setenv("LCSM_JOB", "pod-5", 1);
  setenv("LCSM_NODE", "abacus", 1);
  EXPECT_EQ(this_batch_job().id, "pod-5");
  EXPECT_EQ(this_batch_job().node, "abacus");
  for (const char* name : variables) unsetenv(name);
}

}  // namespace runner
