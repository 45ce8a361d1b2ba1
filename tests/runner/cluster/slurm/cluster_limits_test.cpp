#include "runner/cluster/slurm/cluster_limits.h"

#include <gtest/gtest.h>

#include <stdexcept>

namespace runner {
namespace {

TEST(ClusterLimits, OfTheConfiguration) {
  const ClusterConfig config = cluster_config(
      "AccountingStorageType   = accounting_storage/slurmdbd\n"
      "MaxArraySize            = 1001\nMaxJobCount             = 10000\n"
      "SchedulerParameters     = bf_continue,max_array_tasks=300,nohold_on_prolog_fail\n");
  EXPECT_EQ(config.array_size, 1001);
  EXPECT_EQ(config.array_tasks, 300);
  EXPECT_EQ(config.job_count, 10000);
  EXPECT_TRUE(config.accounting);
}

TEST(ClusterLimits, OfTheLeastThatIsSaid) {
  const ClusterConfig config = cluster_config("MaxArraySize = 11\nSchedulerParameters = (null)\n");
  EXPECT_EQ(config.array_tasks, 0);
  EXPECT_FALSE(config.accounting);
  EXPECT_THROW(cluster_config("MaxJobCount = 5\n"), std::runtime_error);
}

TEST(ClusterLimits, OfAnAccountAndItsQos) {
  const AccountLimits limits = account_limits(
      "phys|||5000|gres/gpu=4|\nphys|ada|400|||cpu=64\nphys|bob|3|||\nchem|ada|1|1||\n",
      "normal|200|||gres/gpu=2\nlong|1|||\n", "phys", "ada", "normal");
  EXPECT_EQ(limits.submit, 200);
  EXPECT_EQ(limits.of_account.at("gres/gpu"), "4");
  EXPECT_EQ(limits.of_account.at("cpu"), "64");
  EXPECT_EQ(limits.of_qos.at("gres/gpu"), "2");
  EXPECT_EQ(account_limits("", "", "a", "b", "c").submit, -1);
}

TEST(ClusterLimits, AreWritten) {
  EXPECT_EQ(resource_text("gres/gpu", "4"), "4 GPUs");
  EXPECT_EQ(resource_text("gres/gpu", "1"), "1 GPU");
  EXPECT_EQ(resource_text("mem", "100G"), "100G of memory");
  EXPECT_EQ(resource_text("", "4"), "");
}

}  // namespace
}  // namespace runner
