#include "runner/cluster/slurm/cluster_check.h"

#include <gtest/gtest.h>

#include "tests/runner/cluster/slurm/fake_slurm.h"

namespace runner {

TEST(ClusterCheck, SaysWhetherTheControllerResponds) {
  const FakeSlurm slurm;
  slurm.script("sbatch", "echo slurm-wlm 22.05.8");
  slurm.script("scontrol", "echo 'Slurmctld(primary) at head is UP'");
  const EngineCheck up = check_cluster();
  EXPECT_TRUE(up.good);
  EXPECT_EQ(up.value, "slurm-wlm 22.05.8, controller up");
  EXPECT_EQ(up.data["controller"], true);
  slurm.script("scontrol", "echo 'Slurmctld(primary) at head is DOWN'; exit 1");
  const EngineCheck down = check_cluster();
  EXPECT_FALSE(down.good);
  EXPECT_EQ(down.value, "slurm-wlm 22.05.8, Slurmctld(primary) at head is DOWN");
}

}  // namespace runner
