// Checks what `lcsm run` refuses before anything starts.
#include "runner/sweeps/schedule/work.h"

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>

#include "tests/runner/run_program.h"

namespace runner {

TEST(Work, IsRefusedWhereAGpuHasNoMachine) {
  if (program_beside("lcsm").empty()) GTEST_SKIP() << "lcsm was not built";
  const ScratchFolder folder;
  const std::string file = (folder.path() / "mine.toml").string(),
                    workspace = (folder.path() / "workspace").string();
  std::ofstream(file) << "title = 'Mine'\nbase.task.name = 'mqar'\nbase.run.device = 'cuda'\n"
                         "grid.model.system = ['tnl', 'reformer']\ngrid.seed = [1, 2]\n";
  const auto run = [&](Words more) {
    Words words = {program_beside("lcsm").string(),
                   "run",
                   file,
                   "--workspace",
                   workspace,
                   "--trainer",
                   program_beside("fake_train").string(),
                   "--plain"};
    words.insert(words.end(), more.begin(), more.end());
    return run_program(words);
  };
  const Ran refused = run({});
  EXPECT_EQ(refused.status, 2);
  for (const char* what :
       {"2 of 4 runs cannot run on a GPU:", "got 'reformer'", "set run.device = \"cpu\""})
    EXPECT_NE(refused.err.find(what), std::string::npos) << refused.err;
  EXPECT_TRUE(std::filesystem::is_empty(workspace + "/runs"));
  EXPECT_EQ(run({"--set", "run.device=cpu", "--dry-run"}).status, 0);
  if (std::filesystem::exists("/dev/nvidiactl")) GTEST_SKIP() << "there is a GPU";
  const Ran none = run({"--set", "model.system=tnl"});
  EXPECT_EQ(none.status, 3);
  EXPECT_TRUE(has(none.err, "expected a GPU, which run.device = \"cuda\" needs, got none: "))
      << none.err;
  EXPECT_TRUE(std::filesystem::is_empty(workspace + "/runs"));
}

}  // namespace runner
