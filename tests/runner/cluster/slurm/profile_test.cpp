#include "runner/cluster/slurm/profile.h"

#include <gtest/gtest.h>

#include <cstdlib>
#include <fstream>
#include <stdexcept>

#include "tests/message_of.h"
#include "tests/runner/run_program.h"

namespace runner {
namespace {

namespace fs = std::filesystem;

using Words = std::vector<std::string>;

// Every error as "line:column: reason", one per line.
std::string errors(const std::string& text) {
  try {
    parse_slurm_profiles(text, "slurm.toml");
  } catch (const SourceErrors& error) {
    std::string list;
    for (const SourceError& each : error.errors())
      list +=
          std::to_string(each.line) + ":" + std::to_string(each.column) + ": " + each.what + "\n";
    return list;
  }
  return "";
}

std::string refusal(const std::vector<SlurmProfile>& profiles, const std::string& name) {
  return message_of<std::invalid_argument>([&] { choose_profile(profiles, name); });
}

TEST(SlurmProfile, BecomesOptionsOfSbatch) {
  const auto profiles = parse_slurm_profiles(
      "[long]\ntime = \"1.5d\"\npartition = \"gpu\"\naccount = \"lab\"\nqos = \"high\"\n"
      "memory = \"32G\"\ncpus = 4\ngpus = \"a100:2\"\nruns-per-gpu = 3\nwarning = \"5m\"\n"
      "elements = 20\nextra = [\"--constraint=a100 & ib\", \"--exclusive\"]\n"
      "[brief]\ntime = \"3723s\"\n",
      "slurm.toml");
  ASSERT_EQ(profiles.size(), 2u);
  EXPECT_EQ(sbatch_options(profiles[0]),
            (Words{"--time=1-12:00:00", "--nodes=1", "--ntasks=1", "--cpus-per-task=4",
                   "--signal=B:USR2@300", "--partition=gpu", "--account=lab", "--qos=high",
                   "--mem=32G", "--gres=gpu:a100:2", "--constraint=a100 & ib", "--exclusive"}));
  EXPECT_EQ(profiles[0].runs_per_gpu, 3);
  EXPECT_EQ(profiles[0].elements, 20);
  EXPECT_EQ(profiles[1].name, "brief");
  EXPECT_EQ(sbatch_options(profiles[1]), (Words{"--time=0-01:02:03", "--nodes=1", "--ntasks=1",
                                                "--cpus-per-task=1", "--signal=B:USR2@120"}));
}

TEST(SlurmProfile, ErrorsAreReportedTogetherInTheirOrder) {
  EXPECT_EQ(errors("[a]\npartitoin = \"gpu\"\ncpus = 0\n[b]\ntime = 4\nextra = [\"-p gpu\"]\n"),
            "1:2: profile 'a' has no time limit: add time = \"4h\"\n"
            "2:1: unknown key 'partitoin'; did you mean 'partition'?\n"
            "3:8: 'cpus' must be an integer from 1 to 1000000\n"
            "5:8: 'time' must be like \"4h\"\n"
            "6:10: an option of sbatch must be like \"--constraint=a100\"\n");
}

TEST(SlurmProfile, RefusesWhatCannotWork) {
  const std::string head = "[a]\ntime = \"4h\"\n";
  EXPECT_EQ(errors(head), "");
  EXPECT_EQ(errors(""), "1:1: no profile: write [NAME] and time = \"4h\"\n");
  EXPECT_EQ(errors("time = \"4h\"\n"),
            "1:1: 'time' is outside of a profile: write [NAME] above it\n");
  EXPECT_EQ(errors("[a]\ntime = \"3m\"\n"),
            "1:2: time (3 min) must be at least twice warning (2 min): raise time or lower "
            "warning\n");
  EXPECT_EQ(errors(head + "runs-per-gpu = 2\n"),
            "1:2: runs-per-gpu needs gpus: add gpus = \"1\" or remove it\n");
  EXPECT_EQ(errors(head + "extra = [\"--array=0-9\"]\n"),
            "3:10: '--array' is set by the submission: remove it\n");
  EXPECT_EQ(errors(head + "extra = [\"--sig=USR1\"]\n"),
            "3:10: '--sig' is set by the submission: remove it\n");
  EXPECT_EQ(errors(head + "partition = \"a b\"\n"),
            "3:13: 'partition' must be a quoted word without spaces\n");
  EXPECT_EQ(errors("[a]\ntime = \"900d\"\n"), "2:8: 'time' must be from 1s to 366d\n");
  EXPECT_EQ(errors("[a]\ntime = \"9d\"\nwarning = \"1d\"\n"),
            "1:2: warning must be at most 65535s\n");
  EXPECT_NE(errors("[a\n"), "");
}

TEST(SlurmProfile, IsChosenByName) {
  const auto one = parse_slurm_profiles("[a100]\ntime = \"4h\"\n", "slurm.toml");
  EXPECT_EQ(choose_profile(one, "").name, "a100");
  EXPECT_EQ(refusal(one, "a10"), "unknown profile 'a10'; did you mean 'a100'?");
  const auto two =
      parse_slurm_profiles("[short]\ntime = \"1h\"\n[a100]\ntime = \"4h\"\n", "slurm.toml");
  EXPECT_EQ(choose_profile(two, "a100").name, "a100");
  EXPECT_EQ(refusal(two, ""), "several profiles: choose one of short, a100 with --profile");
  EXPECT_EQ(refusal(two, "cpu-only"), "unknown profile 'cpu-only'; expected one of short, a100");
}

void write_profile(const fs::path& folder, const std::string& profile) {
  fs::create_directories(folder);
  std::ofstream(folder / "slurm.toml") << "[" << profile << "]\ntime = \"1h\"\n";
}

TEST(ProfileSearch, TheNearestFileCounts) {
  const ScratchFolder folder;
  const fs::path sweeps = folder.path() / "sweeps", workspace = folder.path() / "w";
  fs::create_directories(sweeps);
  std::ofstream(sweeps / "mine.toml");
  setenv("XDG_CONFIG_HOME", (folder.path() / "config").c_str(), 1);
  const auto found = [&](const std::string& name) {
    return find_profile(sweeps / "mine.toml", workspace, name).name;
  };
  EXPECT_THROW(found(""), std::runtime_error);
  for (const auto& [place, name] :
       {std::pair(folder.path() / "config/lcsm", "user"), std::pair(workspace, "workspace"),
        std::pair(sweeps, "sweep")}) {
    write_profile(place, name);
    EXPECT_EQ(found(""), name);
  }
  EXPECT_THROW(found("user"), std::invalid_argument);
  unsetenv("XDG_CONFIG_HOME");
}

TEST(ProfileSearch, ABuiltInSweepHasTheCurrentFolder) {
  try {
    find_profile("built-in", "/w", "");
    FAIL();
  } catch (const std::runtime_error& error) {
    const std::string first = (fs::current_path() / "slurm.toml").string();
    EXPECT_NE(std::string(error.what()).find("one of " + first + ", /w/slurm.toml"),
              std::string::npos)
        << error.what();
  }
}

}  // namespace
}  // namespace runner
