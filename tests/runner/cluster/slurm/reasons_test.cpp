#include "runner/cluster/slurm/reasons.h"

#include <gtest/gtest.h>

namespace runner {
namespace {

TEST(Reasons, OfLimitsNameOwnerAndLimit) {
  EXPECT_EQ(wait_reason("AssocGrpGRES", "4 GPUs").words,
            "the account's limit of 4 GPUs is reached");
  EXPECT_EQ(wait_reason("AssocGrpCpuLimit").words, "the account's limit of CPUs is reached");
  EXPECT_EQ(wait_reason("QOSMaxJobsPerUserLimit").words,
            "the QOS's limit of running jobs of a user is reached");
  EXPECT_EQ(wait_reason("QOSGrpCPURunMinutesLimit").words,
            "the QOS's limit of minutes of running CPUs is reached");
  EXPECT_EQ(wait_reason("QOSMaxGRESPerUser").words, "the QOS's limit of GPUs of a user is reached");
  EXPECT_FALSE(wait_reason("AssocGrpGRES").hopeless);
}

TEST(Reasons, OfJobsThatAreTooLargeAreHopeless) {
  const WaitReason reason = wait_reason("QOSMaxWallDurationPerJobLimit");
  EXPECT_EQ(reason.words,
            "it requests more than the QOS's limit of time of a job: lower it in the profile");
  EXPECT_TRUE(reason.hopeless);
  EXPECT_TRUE(wait_reason("AssocMaxGRESPerJob").hopeless);
  EXPECT_TRUE(wait_reason("QOSMinGRES").hopeless);
  EXPECT_TRUE(wait_reason("PartitionTimeLimit").hopeless);
  EXPECT_TRUE(wait_reason("JobHeldUser").hopeless);
  EXPECT_TRUE(wait_reason("job requeued in held state").hopeless);
}

TEST(Reasons, AreReadInEverySpelling) {
  EXPECT_EQ(wait_reason("(Resources)").words, wait_reason("Resources").words);
  EXPECT_EQ(wait_reason("Resources,BeginTime").words, wait_reason("Resources").words);
  EXPECT_EQ(wait_reason("(null)").words, wait_reason("None").words);
  EXPECT_EQ(wait_reason("ReqNodeNotAvail, UnavailableNodes:n[1-3]").words,
            "nodes that it needs are not available: UnavailableNodes:n[1-3]");
  EXPECT_EQ(wait_reason("Bewitched").words, "Slurm gives the reason 'Bewitched'");
}

TEST(Reasons, NameTheResourceWhoseLimitIsToBeLookedUp) {
  EXPECT_EQ(limited_resource("AssocGrpGRES"), "gres/gpu");
  EXPECT_EQ(limited_resource("QOSMaxCpuPerUserLimit"), "cpu");
  EXPECT_EQ(limited_resource("QOSGrpNodeLimit"), "node");
  EXPECT_EQ(limited_resource("Priority"), "");
  EXPECT_EQ(limited_resource("AssocGrpCPURunMinutesLimit"), "");
}

}  // namespace
}  // namespace runner
