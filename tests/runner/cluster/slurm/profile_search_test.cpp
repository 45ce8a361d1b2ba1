#include "runner/cluster/slurm/profile_search.h"

#include <gtest/gtest.h>

#include <cstdlib>
#include <fstream>
#include <stdexcept>

#include "tests/runner/run_program.h"

namespace runner {
namespace {

namespace fs = std::filesystem;

void write(const fs::path& folder, const std::string& profile) {
  fs::create_directories(folder);
  std::ofstream(folder / "slurm.toml") << "[" << profile << "]\ntime = \"1h\"\n";
}

TEST(ProfileSearch, TheNearestFileCounts) {
  const ScratchFolder folder;
  const fs::path sweeps = folder.path() / "sweeps", workspace = folder.path() / "w";
  fs::create_directories(sweeps);
  std::ofstream(sweeps / "mine.toml");
  setenv("XDG_CONFIG_HOME", (folder.path() / "config").c_str(), 1);
  const auto places = profile_places(sweeps / "mine.toml", workspace);
  unsetenv("XDG_CONFIG_HOME");
  EXPECT_THROW(find_profile(places, ""), std::runtime_error);
  for (const auto& [place, name] :
       {std::pair(folder.path() / "config/lcsm", "user"), std::pair(workspace, "workspace"),
        std::pair(sweeps, "sweep")}) {
    write(place, name);
    EXPECT_EQ(find_profile(places, "").name, name);
  }
  EXPECT_THROW(find_profile(places, "user"), std::invalid_argument);
}

TEST(ProfileSearch, ABuiltInSweepHasTheCurrentFolder) {
  EXPECT_EQ(profile_places("built-in", "/w").front(), fs::current_path() / "slurm.toml");
}

}  // namespace
}  // namespace runner
