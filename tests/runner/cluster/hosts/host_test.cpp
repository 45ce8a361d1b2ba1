#include "runner/cluster/hosts/host.h"

#include <gtest/gtest.h>

#include <fstream>

#include "runner/base/files/source_error.h"
#include "tests/message_of.h"
#include "tests/runner/run_program.h"

namespace runner {
namespace {

std::string error(const std::string& text) {
  try {
    parse_hosts(text, "hosts.toml");
  } catch (const SourceErrors& errors) {
    return errors.errors().front().what;
  }
  return "";
}

TEST(TrainingHosts, AreReadInTheirOrder) {
  const auto hosts = parse_hosts(
      "[basil]\nssh = \"ada@basil.lab\"\nworkspace = \"/scratch/lcsm\"\njobs = 4\ngpus = "
      "\"0,1\"\n[abacus]\n",
      "hosts.toml");
  ASSERT_EQ(hosts.size(), 2U);
  EXPECT_EQ(hosts[0], (TrainingHost{"basil", "ada@basil.lab", "/scratch/lcsm", 4, "0,1"}));
  EXPECT_EQ(hosts[1], (TrainingHost{"abacus", "abacus", "", 0, ""}));
}

TEST(TrainingHosts, MistakesAreNamed) {
  EXPECT_EQ(error(""), "no host: write [NAME] and workspace = \"/path/there\"");
  EXPECT_EQ(error("[a]\njob = 2\n"), "unknown key 'job'; did you mean 'jobs'?");
  EXPECT_NE(error("[a]\nworkspace = \"lcsm\"\n").find("an absolute path"), std::string::npos);
  EXPECT_NE(error("[a]\nworkspace = \"/w/10:30\"\n").find("a path without ':'"), std::string::npos);
  EXPECT_NE(error("[a]\nssh = \"-p22\"\n").find("~/.ssh/config"), std::string::npos);
  EXPECT_NE(error("[\"a b\"]\n").find("ssh = \"...\""), std::string::npos);
}

TEST(TrainingHosts, AreFoundInTheWorkspaceAndHaveItsPath) {
  const ScratchFolder folder;
  EXPECT_THROW(find_hosts(folder.path() / "mine.toml", folder.path()), std::runtime_error);
  std::ofstream(folder.path() / "hosts.toml") << "[a]\n";
  const auto hosts = find_hosts("mine", folder.path());
  ASSERT_EQ(hosts.size(), 1U);
  EXPECT_EQ(hosts[0].workspace, folder.path().string());
  const std::filesystem::path split = folder.path() / "10:30";
  std::filesystem::create_directory(split);
  std::filesystem::copy(folder.path() / "hosts.toml", split);
  EXPECT_NE(
      message_of<std::invalid_argument>([&] { find_hosts("mine", split); }).find(split.string()),
      std::string::npos);
}

}  // namespace
}  // namespace runner
