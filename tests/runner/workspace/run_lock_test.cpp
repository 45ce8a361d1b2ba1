#include "runner/workspace/run_lock.h"

#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include <fstream>
#include <optional>
#include <stdexcept>

#include "runner/base/process/process_facts.h"
#include "tests/message_of.h"
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

TEST(WorkspaceRunLock, AnotherSweepMayTakeItsTurn) {
  const ScratchFolder workspace;
  WorkspaceRunLock lock(workspace.path(), "a long name");
  lock.now_runs("next");
  EXPECT_EQ(who_runs(workspace.path())->sweep, "next");
  EXPECT_THROW(WorkspaceRunLock(workspace.path(), "mine"), std::runtime_error);
}

TEST(WorkspaceRunLock, WaitsBehindThoseThatCameEarlier) {
  const ScratchFolder workspace;
  const auto names = [](const std::vector<WorkspaceRunner>& runners) {
    std::string text;
    for (const WorkspaceRunner& each : runners) text += each.sweep + " ";
    return text;
  };
  std::optional<WorkspaceRunLock> holder(std::in_place, workspace.path(), "a");
  std::optional<QueuePlace> earlier(std::in_place, workspace.path(), "b");
  std::vector<std::string> seen;
  const WorkspaceRunLock lock(workspace.path(), "c", [&](const auto& ahead) {
    seen.push_back(names(ahead));
    EXPECT_EQ(names(who_waits(workspace.path())), earlier ? "b c " : "c ");
    holder ? holder.reset() : earlier.reset();
  });
  EXPECT_EQ(seen, (std::vector<std::string>{"a b ", "b "}));
  EXPECT_EQ(who_runs(workspace.path())->sweep, "c");
  EXPECT_TRUE(who_waits(workspace.path()).empty());
}

TEST(WorkspaceRunLock, SaysWhatCannotBeWritten) {
  const ScratchFolder workspace;
  std::filesystem::create_directory(workspace.path() / kRunLockFile);
  EXPECT_TRUE(message_of([&] { WorkspaceRunLock(workspace.path(), "s"); })
                  .ends_with("/.run.lock' cannot be written: Is a directory; choose another "
                             "workspace"));
}

// A killed process leaves its file behind.
TEST(WorkspaceRunLock, APlaceWithoutAProcessCountsForNothing) {
  const ScratchFolder workspace;
  const auto queue = workspace.path() / kQueueFolder;
  std::filesystem::create_directory(queue);
  for (const char* name : {"1", "x", "99999999999999999999", "-3"})
    std::ofstream(queue / name) << "{}";
  EXPECT_TRUE(who_waits(workspace.path()).empty());
  const QueuePlace place(workspace.path(), "mine");
  EXPECT_TRUE(place.ahead().empty());
  EXPECT_EQ(who_waits(workspace.path()).size(), 1u);
}

// The file has an older version, or is just being written.
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
