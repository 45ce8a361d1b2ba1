#include "runner/cluster/slurm/commands.h"

#include <gtest/gtest.h>

#include <cstdlib>
#include <functional>

#include "tests/runner/cluster/slurm/fake_slurm.h"

namespace runner {
namespace {

std::string error_of(const std::function<void()>& work, bool* unsure = nullptr) {
  try {
    work();
  } catch (const SlurmError& error) {
    if (unsure != nullptr) *unsure = error.unsure();
    return error.what();
  }
  return "";
}

void submit() { submit_job({"--array=0-3"}, "element.sh"); }

TEST(SlurmCommands, SubmitAndSee) {
  const FakeSlurm slurm;
  EXPECT_EQ(submit_job({"--array=0-3", "--job-name=n", "--comment=c"}, "element.sh"), "101");
  const auto jobs = queued_jobs();
  ASSERT_EQ(jobs.size(), 1U);
  EXPECT_EQ(jobs[0].id.job, "101");
  EXPECT_EQ(jobs[0].comment, "c");
}

TEST(SlurmCommands, AreAskedInTheCLocaleWithOurFormat) {
  const FakeSlurm slurm;
  slurm.script("squeue", "echo \"7_1|$LC_ALL|$SLURM_BITSTR_LEN|$SQUEUE_FORMAT|N/A|a|q|n|c\"");
  setenv("SQUEUE_FORMAT", "%A", 1);
  const auto jobs = queued_jobs();
  unsetenv("SQUEUE_FORMAT");
  ASSERT_EQ(jobs.size(), 1U);
  EXPECT_EQ(jobs[0].reason, "0");
  EXPECT_EQ(jobs[0].node, "");
}

// Messages of Slurm 22.05 and 24.05.
TEST(SlurmCommands, SayWhatToDoAboutARefusal) {
  const FakeSlurm slurm;
  slurm.fail("sbatch",
             "sbatch: error: invalid partition specified: gpu\nsbatch: error: Batch job "
             "submission failed: Invalid partition name specified");
  EXPECT_EQ(
      error_of(submit),
      "sbatch: invalid partition specified: gpu; Batch job submission failed: Invalid "
      "partition name specified: set 'partition' of the profile to one that `sinfo -s` lists");
  for (const char* message :
       {"Invalid account or account/partition combination specified", "Invalid qos specification",
        "Invalid generic resource (gres) specification",
        "Memory specification can not be satisfied",
        "Requested node configuration is not available", "Invalid feature specification",
        "Requested time limit is invalid (missing or exceeds some limit)",
        "Job violates accounting/QOS policy (job submit limit, user's size and/or time limits)",
        "AssocMaxSubmitJobLimit", "Invalid job array specification",
        "Slurm temporarily unable to accept job, sleeping and retrying",
        "User's group not permitted to use this partition", "Access/permission denied",
        "Munge encode failed: Failed to access \"/run/munge/munge.socket.2\"",
        "Invalid authentication credential",
        "Unable to contact slurm controller (connect failure)"}) {
    slurm.fail("sbatch", message);
    EXPECT_NE(error_of(submit), std::string("sbatch: ") + message);
  }
}

TEST(SlurmCommands, SayWhetherTheAnswerWasLost) {
  const FakeSlurm slurm;
  bool unsure = false;
  slurm.fail("sbatch",
             "sbatch: error: Batch job submission failed: Socket timed out on send/recv "
             "operation");
  EXPECT_NE(error_of(submit, &unsure), "");
  EXPECT_TRUE(unsure);
  slurm.fail("sbatch", "sbatch: error: Batch job submission failed: Invalid qos specification");
  EXPECT_NE(error_of(submit, &unsure), "");
  EXPECT_FALSE(unsure);
  slurm.print("sbatch", "Thank you\n");
  EXPECT_NE(error_of(submit, &unsure), "");
  EXPECT_TRUE(unsure);
}

TEST(SlurmCommands, SayThatThereIsNoSlurm) {
  const std::string path = std::getenv("PATH");
  setenv("PATH", "/nowhere", 1);
  const std::string said = error_of([] { queued_jobs(); });
  setenv("PATH", path.c_str(), 1);
  EXPECT_EQ(said, "no squeue on this host: run on a login node of the cluster, or load its module");
}

TEST(SlurmCommands, AccountingMayBeOff) {
  const FakeSlurm slurm;
  EXPECT_FALSE(accounted_jobs({"101"}));
  EXPECT_EQ(read_account_limits(read_cluster_config(), "", "").submit, -1);
  slurm.print("sacct", "101_0|COMPLETED|n0|2026-11-24T19:30:48|a|q|lcsm-q|\n");
  const auto jobs = accounted_jobs({"101"});
  ASSERT_TRUE(jobs);
  EXPECT_EQ(jobs->at(0).state->phase, JobPhase::kEnded);
}

TEST(SlurmCommands, JobsThatHaveEndedNeedNoCancelling) {
  const FakeSlurm slurm;
  slurm.fail("scancel", "scancel: error: Kill job error on job id 9: Invalid job id specified");
  EXPECT_NO_THROW(cancel_jobs({"9"}));
  slurm.fail("scancel", "scancel: error: Kill job error on job id 9: Access/permission denied");
  EXPECT_THROW(cancel_jobs({"9"}), SlurmError);
}

}  // namespace
}  // namespace runner
