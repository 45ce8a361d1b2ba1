#include "runner/config/toml/oscillation_search.h"

#include <gtest/gtest.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>

#include "tests/runner/run_program.h"

namespace runner {
namespace {

std::string last_complaint;
void remember(const std::string& what) { last_complaint = what; }

// Runs in a scratch folder without LCSM_OSCILLATIONS.
class OscillationSearch : public ::testing::Test {
 protected:
  void SetUp() override {
    before_ = std::filesystem::current_path();
    std::filesystem::current_path(folder_.path());
    unsetenv("LCSM_OSCILLATIONS");
    last_complaint.clear();
  }
  void TearDown() override { std::filesystem::current_path(before_); }

  static void write(const std::string& path, const std::string& text) {
    const std::filesystem::path folder = std::filesystem::path(path).parent_path();
    if (!folder.empty()) std::filesystem::create_directories(folder);
    std::ofstream(path) << text;
  }

 private:
  ScratchFolder folder_;
  std::filesystem::path before_;
};

constexpr const char* kMine = "[oscillation.mine]\no = \"sigmoid(p_d)\"\n";

}  // namespace

TEST_F(OscillationSearch, FindsFilesInTheCurrentFolderAndItsSweeps) {
  write("oscillations.toml", kMine);
  write("sweeps/b.toml", "title = \"x\"\n[oscillation.other]\no = \"sigmoid(p_k)\"\n");
  const lcsm::Catalogue catalogue = load_catalogue({}, remember);
  EXPECT_NE(catalogue.find("mine"), nullptr);
  EXPECT_EQ(catalogue.find("other")->origin, "sweeps/b.toml:2");
  EXPECT_EQ(last_complaint, "");
}

TEST_F(OscillationSearch, SkipsAnInvalidFoundFileWithAWarning) {
  write("oscillations.toml", "[oscillation.mine]\no = \"sigmod(p_d)\"\n");
  EXPECT_EQ(load_catalogue({}, remember).find("mine"), nullptr);
  EXPECT_TRUE(
      last_complaint.starts_with("all gates in oscillations.toml, because\noscillations.toml:2:6"))
      << last_complaint;
}

TEST_F(OscillationSearch, RejectsAnInvalidOrMissingNamedFile) {
  write("bad.toml", "[oscillation.mine]\no = 1 +\n");
  EXPECT_THROW(load_catalogue({"bad.toml"}, remember), std::invalid_argument);
  EXPECT_THROW(load_catalogue({"none.toml"}, remember), std::runtime_error);
}

TEST_F(OscillationSearch, RejectsOneNameForTwoGates) {
  write("oscillations.toml", kMine);
  write("again.toml", "[oscillation.mine]\no = \"sigmoid(p_k)\"\n");
  EXPECT_THROW(load_catalogue({"again.toml"}, remember), std::invalid_argument);
  EXPECT_NO_THROW(load_catalogue({"oscillations.toml"}, remember)) << "the same file again";
}

// A sweep and its copy beside it.
TEST_F(OscillationSearch, OneGateMayBeInTwoFiles) {
  write("sweeps/a.toml", kMine);
  write("sweeps/b.toml",
        "[oscillation.mine]\no = \"1 - sigmoid(-p_d)\"\n[oscillation.other]\no = \"1\"\n");
  const lcsm::Catalogue catalogue = load_catalogue({}, remember);
  EXPECT_EQ(catalogue.find("mine")->origin, "sweeps/a.toml:1");
  EXPECT_NE(catalogue.find("other"), nullptr);
  EXPECT_EQ(last_complaint, "");
  for (const char* more : {"init.w_d = \"2\"\no = \"sigmoid(p_d + w_d)\"\n",
                           "scale = \"2\"\no = \"sigmoid(p_d)\"\n"}) {
    write("sweeps/b.toml", std::string("[oscillation.mine]\n") + more);
    last_complaint.clear();
    load_catalogue({}, remember);
    EXPECT_TRUE(has(last_complaint, "already defined in sweeps/a.toml:1")) << more;
  }
}

TEST_F(OscillationSearch, PrefersTheFilesOfTheEnvironment) {
  write("oscillations.toml", kMine);
  write("elsewhere.toml", "[oscillation.other]\no = \"sigmoid(p_k)\"\n");
  setenv("LCSM_OSCILLATIONS", "elsewhere.toml", 1);
  const lcsm::Catalogue catalogue = load_catalogue({}, remember);
  EXPECT_EQ(catalogue.find("mine"), nullptr);
  EXPECT_NE(catalogue.find("other"), nullptr);
}

}  // namespace runner
