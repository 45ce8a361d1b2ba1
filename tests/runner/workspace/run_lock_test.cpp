#include "runner/workspace/run_lock.h"

#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include <fstream>

#include "runner/base/process/process_facts.h"
#include "tests/runner/run_program.h"

namespace runner {

TEST(WorkspaceRunLock, NamesTheProcessThatRunsTheWorkspace) {
  const ScratchFolder workspace;
  EXPECT_FALSE(who_runs(workspace.path()));
  {
    const WorkspaceRunLock lock(workspace.path(), "mine (2) of 3");
    const auto who = who_runs(workspace.path());
    ASSERT_TRUE(who);
    EXPECT_EQ(who->process, getpid());
    EXPECT_EQ(who->name(), "process " + std::to_string(getpid()) + " (mine (2) of 3)");
    EXPECT_EQ(who->text(), who->name() + " of " + user_at_host() + " since " + who->since);
  }
  EXPECT_FALSE(who_runs(workspace.path()));
}

// The file is of an older version, or being written at this moment.
TEST(WorkspaceRunLock, IsHeldEvenIfItsFileCannotBeRead) {
  const ScratchFolder workspace;
  const WorkspaceRunLock lock(workspace.path(), "mine");
  std::ofstream(workspace.path() / ".run.lock") << "process 17 (mine) of ada@abacus since then";
  ASSERT_TRUE(who_runs(workspace.path()));
  EXPECT_EQ(who_runs(workspace.path())->text(), "another process");
}

// The child has inherited the lock. It exits when this process waits for the lock.
TEST(WorkspaceRunLock, WaitsForAChildOfAKilledProcess) {
  const ScratchFolder workspace;
  const pid_t waiting = getpid();
  int asked[2];
  ASSERT_EQ(pipe(asked), 0);
  const pid_t killed = fork();
  if (killed == 0) {
    const WorkspaceRunLock lock(workspace.path(), "mine");
    if (fork() == 0) {
      char any = 0;
      if (read(asked[0], &any, 1) == 1)
        comes_true([&] { return facts_of_process(waiting)->state == 'S'; });
    }
    _exit(0);
  }
  waitpid(killed, nullptr, 0);
  EXPECT_TRUE(who_runs(workspace.path()));
  ASSERT_EQ(write(asked[1], "!", 1), 1);
  EXPECT_NO_THROW(WorkspaceRunLock(workspace.path(), "mine"));
}

}  // namespace runner
