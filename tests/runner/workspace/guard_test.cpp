#include "runner/workspace/guard.h"

#include <gtest/gtest.h>

#include "results/events/run_folder.h"
#include "runner/workspace/run_lock.h"
#include "tests/runner/run_program.h"

namespace runner {
namespace {

namespace fs = std::filesystem;

class Guard : public testing::Test {
 protected:
  Guard() { fs::create_directories(runs()); }
  fs::path workspace() const { return scratch_.path() / "w"; }
  fs::path runs() const { return workspace() / results::kRunsFolder; }

 private:
  ScratchFolder scratch_;
};

}  // namespace

TEST_F(Guard, NoticesARemovedWorkspace) {
  const WorkspaceRunLock lock(workspace(), "s");
  const WorkspaceGuard guard(workspace());
  fs::create_directory(runs() / "0");
  EXPECT_EQ(guard.trouble(), "");
  fs::remove_all(workspace());
  EXPECT_EQ(guard.trouble(), runs().string() + " was removed");
}

TEST_F(Guard, NoticesAnotherWorkspaceInItsPlace) {
  const WorkspaceRunLock lock(workspace(), "s");
  const WorkspaceGuard guard(workspace());
  const fs::path old = workspace().string() + ".old";
  fs::rename(workspace(), old);
  fs::create_directories(runs());
  EXPECT_EQ(guard.trouble(), runs().string() + " was replaced");
  fs::remove_all(workspace());
  fs::rename(old, workspace());
  EXPECT_EQ(guard.trouble(), "");
}

TEST_F(Guard, NoticesALockThatAnotherProcessCanTake) {
  const WorkspaceRunLock lock(workspace(), "s");
  const WorkspaceGuard guard(workspace());
  fs::remove(workspace() / kRunLockFile);
  EXPECT_EQ(guard.trouble(), (workspace() / kRunLockFile).string() + " was removed");
}

}  // namespace runner
