#include "runner/workspace/run_lock.h"

#include <gtest/gtest.h>
#include <sys/wait.h>
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

// Which has inherited the lock, and dies a moment later.
TEST(WorkspaceRunLock, WaitsForAChildOfOneThatWasKilled) {
  const ScratchFolder workspace;
  const pid_t killed = fork();
  if (killed == 0) {
    const WorkspaceRunLock lock(workspace.path(), "mine");
    if (fork() == 0) usleep(300000);
    _exit(0);
  }
  waitpid(killed, nullptr, 0);
  EXPECT_NE(who_runs(workspace.path()), "");
  EXPECT_NO_THROW(WorkspaceRunLock(workspace.path(), "mine"));
}

}  // namespace runner
