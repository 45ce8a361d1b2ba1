#include "runner/cluster/submission/worker.h"

#include <gtest/gtest.h>

#include <cstdlib>

#include "tests/runner/run_program.h"

namespace runner {

TEST(Worker, HasTheGpusThatItWasGiven) {
  EXPECT_EQ(assigned_gpus(), Words{});
  setenv("CUDA_VISIBLE_DEVICES", "0,3", 1);
  EXPECT_EQ(assigned_gpus(), (Words{"0", "3"}));
  setenv("CUDA_VISIBLE_DEVICES", "GPU-1a2b", 1);
  EXPECT_EQ(assigned_gpus(), Words{"GPU-1a2b"});
  for (const char* none : {"", "NoDevFiles"}) {
    setenv("CUDA_VISIBLE_DEVICES", none, 1);
    EXPECT_EQ(assigned_gpus(), Words{});
  }
  unsetenv("CUDA_VISIBLE_DEVICES");
}

TEST(BadNodes, AreSeenByAllUntilTheirFilesGo) {
  const ScratchFolder folder;
  EXPECT_TRUE(nodes_aside(folder.path()).empty());
  set_node_aside(folder.path(), "n7", "run after run failed");
  set_node_aside(folder.path(), "n8.example", "run after run failed");
  set_node_aside(folder.path(), "n7", "again");
  EXPECT_EQ(nodes_aside(folder.path()), (std::set<std::string>{"n7", "n8.example"}));
  std::filesystem::remove(folder.path() / "nodes" / "n7.json");
  EXPECT_EQ(nodes_aside(folder.path()), std::set<std::string>{"n8.example"});
}

}  // namespace runner
