#include "runner/cluster/slurm/job_state.h"

#include <gtest/gtest.h>

namespace runner {
namespace {

TEST(JobState, IsReadInEverySpelling) {
  for (const char* text : {"CANCELLED", "CA", "CANCELLED by 1000", "CANCELLED+", "CANCEL+",
                           "cancelled", "CANCELLED,COMPLETING"})
    EXPECT_EQ(job_state(text).name, "CANCELLED") << text;
  for (const char* text : {"OUT_OF_MEMORY", "OOM", "OUT_OF_ME+"})
    EXPECT_EQ(job_state(text).name, "OUT_OF_MEMORY") << text;
  EXPECT_EQ(job_state("R").name, "RUNNING");
  EXPECT_EQ(job_state("REQUEUE_HOLD").letters, "RH");
}

TEST(JobState, SaysWhetherTheJobHasEnded) {
  for (const char* text : {"PD", "CONFIGURING", "REQUEUED", "SPECIAL_EXIT"})
    EXPECT_EQ(job_state(text).phase, JobPhase::kWaiting) << text;
  for (const char* text : {"R", "COMPLETING", "SUSPENDED"})
    EXPECT_EQ(job_state(text).phase, JobPhase::kRunning) << text;
  for (const char* text : {"TO", "NODE_FAIL", "PREEMPTED", "COMPLETED", "BOOT_FAIL", "DEADLINE"})
    EXPECT_EQ(job_state(text).phase, JobPhase::kEnded) << text;
}

TEST(JobState, AnUnknownOneIsNotTakenForAnEnd) {
  for (const char* text : {"", "HIBERNATED", "C+", "COMP+", "+", " "})
    EXPECT_EQ(job_state(text).phase, JobPhase::kUnclear) << text;
}

}  // namespace
}  // namespace runner
