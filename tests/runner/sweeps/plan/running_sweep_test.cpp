#include "runner/sweeps/plan/running_sweep.h"

#include <gtest/gtest.h>
#include <unistd.h>

#include "runner/base/process/exit_code.h"
#include "runner/workspace/run_lock.h"
#include "tests/message_of.h"
#include "tests/results/fixture.h"
#include "tests/runner/run_program.h"

namespace runner {
namespace {

SweepFile named(const std::string& name) {
  SweepFile sweep;
  sweep.name = name;
  sweep.path = "no such file";
  return sweep;
}

}  // namespace

TEST(RunningSweep, IsRememberedWithItsScaleSettingsAndJobs) {
  const ScratchFolder workspace;
  EXPECT_FALSE(read_running(workspace.path()).has_value());
  write_running(workspace.path(), named("quickstart"), {"laptop", {"seed=2"}}, 3);
  const auto read = read_running(workspace.path());
  EXPECT_EQ(read->choice.name, "quickstart");
  EXPECT_EQ(read->choice.request.scale, "laptop");
  EXPECT_EQ(read->choice.request.settings, std::vector<std::string>{"seed=2"});
  EXPECT_EQ(read->choice.request.workspace, workspace.path());
  EXPECT_EQ(read->jobs, 3);
}

TEST(RunningSweep, IsFoundInAFolderWhoseNameIsNoUtf8) {
  const ScratchFolder scratch;
  for (const char* name : {"plain",
                           "b\xff\xfe"
                           "d"}) {
    const std::filesystem::path folder = scratch.path() / name, workspace = folder / "workspace";
    std::filesystem::create_directories(workspace);
    results::write_text(folder / "mine.toml", "title = 'Mine'\n");
    SweepFile sweep = named("mine");
    sweep.path = folder / "mine.toml";
    write_running(workspace, sweep, {}, 1);
    EXPECT_TRUE(std::filesystem::equivalent(read_running(workspace)->choice.name, sweep.path))
        << name;
  }
}

TEST(RunningSweep, WhoseFileWasRenamedAsksForAnother) {
  const ScratchFolder workspace;
  const std::filesystem::path file = workspace.path() / "mine.toml";
  results::write_text(file, "title = 'Mine'\n");
  SweepFile sweep = named("mine");
  sweep.path = file;
  write_running(workspace.path(), sweep, {}, 1);
  EXPECT_EQ(running_or({}, workspace.path()).choice.name, file);
  std::filesystem::remove(file);
  const std::string why = message_of<Failure>([&] { running_or({}, workspace.path()); });
  EXPECT_TRUE(has(why, "got none at '" + file.string() + "': name a sweep or its file")) << why;
}

TEST(RunningSweep, IsTheDefault) {
  const ScratchFolder workspace;
  EXPECT_THROW(running_or({}, workspace.path()), Failure);
  write_running(workspace.path(), named("quickstart"), {"laptop", {}}, 3);
  EXPECT_EQ(running_or({}, workspace.path()).choice.request.scale, "laptop");
  EXPECT_EQ(running_or({"quickstart", {}}, workspace.path()).choice.request.scale, "laptop");
  EXPECT_EQ(running_or({"figure3", {}}, workspace.path()).choice.request.workspace,
            workspace.path());
  EXPECT_EQ(running_or({"figure3", {}}, workspace.path()).choice.request.scale, "paper");
  EXPECT_EQ(running_or({"quickstart", {"paper", {"seed=1"}}}, workspace.path()).jobs, 3);
}

TEST(RunningSweep, ADamagedRecordIsNone) {
  const ScratchFolder workspace;
  for (const char* text : {"", "{", "[]", "{\"schema\": \"lcsm.running/1\"}",
                           "{\"schema\": \"lcsm.running/2\", \"name\": \"x\"}"}) {
    results::write_text(workspace.path() / ".running.json", text);
    EXPECT_FALSE(read_running(workspace.path()).has_value()) << text;
  }
}

}  // namespace runner
