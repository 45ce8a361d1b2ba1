#include "runner/cluster/slurm/cluster_limits.h"

#include <gtest/gtest.h>

#include <numeric>
#include <stdexcept>

namespace runner {
namespace {

TEST(ClusterLimits, OfTheConfiguration) {
  const ClusterConfig config = cluster_config(
      "AccountingStorageType   = accounting_storage/slurmdbd\n"
      "MaxArraySize            = 1001\n"
      "SchedulerParameters     = bf_continue,max_array_tasks=300,nohold_on_prolog_fail\n");
  EXPECT_EQ(config.array_size, 1001);
  EXPECT_EQ(config.array_tasks, 300);
  EXPECT_TRUE(config.accounting);
}

TEST(ClusterLimits, OfTheLeastThatIsSaid) {
  const ClusterConfig config = cluster_config("MaxArraySize = 11\nSchedulerParameters = (null)\n");
  EXPECT_EQ(config.array_tasks, 0);
  EXPECT_FALSE(config.accounting);
  EXPECT_EQ(cluster_config("MaxArraySize=1001").array_size, 1001);
  EXPECT_EQ(cluster_config("MaxArraySize = 0\r\n").array_size, 0);
  for (const char* text :
       {"", "MaxJobCount = 5\n", "MaxArraySize", "MaxArraySize = many", "MaxArraySize = 10k"})
    EXPECT_THROW(cluster_config(text), std::runtime_error) << text;
}

TEST(ClusterLimits, NoElementIsLostAndNoIndexTooLarge) {
  const auto sizes_of = [](std::int64_t elements, std::int64_t size) {
    return arrays_for(elements, {.array_size = size}, {}, 0);
  };
  for (std::int64_t limit = 2; limit < 40; ++limit)
    for (std::int64_t elements = 1; elements < 200; ++elements) {
      const std::vector<std::int64_t> sizes = sizes_of(elements, limit);
      EXPECT_EQ(std::accumulate(sizes.begin(), sizes.end(), std::int64_t{0}), elements);
      EXPECT_EQ(static_cast<std::int64_t>(sizes.size()), (elements + limit - 1) / limit);
      for (const std::int64_t size : sizes) {
        EXPECT_GE(size, 1);
        EXPECT_LE(size - 1, limit - 1);  // the largest index
      }
    }
  EXPECT_EQ(sizes_of(3000, 1001), (std::vector<std::int64_t>{1000, 1000, 1000}));
  EXPECT_THROW(sizes_of(3, 1), std::invalid_argument);
  EXPECT_THROW(sizes_of(3, 0), std::invalid_argument);
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
  const auto submit = [](const std::string& assoc, const std::string& qos) {
    return account_limits(assoc, qos, "phys", "ada", "normal").submit;
  };
  EXPECT_EQ(submit("phys||3||||\n", ""), -1) << "MaxSubmit of an account is for each user";
  EXPECT_EQ(submit("phys|ada|40|||\nphys|ada|50|||\n", "normal|60|||\n"), 40) << "the least";
  EXPECT_EQ(submit("", "normal||30||\n"), 30);
}

TEST(ClusterLimits, AreWritten) {
  EXPECT_EQ(resource_text("gres/gpu", "4"), "4 GPUs");
  EXPECT_EQ(resource_text("gres/gpu", "1"), "1 GPU");
  EXPECT_EQ(resource_text("mem", "100G"), "100G of memory");
  EXPECT_EQ(resource_text("", "4"), "");
}

}  // namespace
}  // namespace runner
