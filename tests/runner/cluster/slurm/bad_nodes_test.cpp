#include "runner/cluster/slurm/bad_nodes.h"

#include <gtest/gtest.h>

#include "tests/runner/run_program.h"

namespace runner {

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
