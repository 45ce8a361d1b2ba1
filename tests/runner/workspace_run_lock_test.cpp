#include "runner/workspace_run_lock.h"

#include <gtest/gtest.h>
#include <unistd.h>

#include "tests/runner/run_program.h"

namespace runner {

TEST(WorkspaceRunLock, NamesWhoRunsTheWorkspaceAsLongAsItDoes) {
  const ScratchFolder workspace;
  EXPECT_EQ(who_runs(workspace.path()), "");
  {
    const WorkspaceRunLock lock(workspace.path(), "mine");
    const std::string who = who_runs(workspace.path());
    EXPECT_TRUE(who.starts_with("process " + std::to_string(getpid()) + " (mine) of ")) << who;
    EXPECT_EQ(who.find("boot"), std::string::npos) << "for those who doubt: " << who;
  }
  EXPECT_EQ(who_runs(workspace.path()), "");
}

}  // namespace runner
