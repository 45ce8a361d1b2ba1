// Every verb finds the texts of its workspace, whether by --workspace or by LCSM_WORKSPACE.
#include <gtest/gtest.h>

#include <fstream>

#include "tests/runner/run_program.h"

namespace runner {
namespace {

namespace fs = std::filesystem;

constexpr const char* kWorkspaceSweep = R"(title = "Custom texts"
base.task.name = "text"
base.model.code = "1-1-1-0"
grid.seed = [1, 2]
)";

class WorkspaceOfVerbs : public testing::Test {
 protected:
  void SetUp() override {
    fs::create_directories(workspace() / "runs");
    fs::create_directories(workspace() / "data" / "text");
    for (const char* split : {"train", "valid", "test"})
      std::ofstream(workspace() / "data" / "text" / (std::string(split) + ".txt"))
          << "some words\n";
    std::ofstream(file()) << kWorkspaceSweep;
  }

  fs::path workspace() const { return scratch_.path() / "workspace"; }
  std::string file() const { return (scratch_.path() / "mine.toml").string(); }

  ScratchFolder scratch_;
};

TEST_F(WorkspaceOfVerbs, IsTheSameByOptionAndByEnvironment) {
  for (const Words& verb :
       std::vector<Words>{{"plan", file()},
                          {"plan", file(), "--json"},
                          {"status", file()},
                          {"watch", file(), "--plain"},
                          {"table", file()},
                          {"figure", file(), "--y", "valid.loss"},
                          {"report", file()},
                          {"explain", file(), "seed"},
                          {"config", "--set", "task.name=text", "--set", "model.code=1-1-1-0"}}) {
    SCOPED_TRACE(verb[0]);
    const Ran named = run_lcsm(verb, {"LCSM_WORKSPACE=" + workspace().string()});
    Words words = verb;
    words.insert(words.end(), {"--workspace", workspace().string()});
    Ran given = run_lcsm(words);
    // The command that runs the rest repeats the given option.
    const std::string option = " --workspace " + workspace().string();
    if (const auto at = given.out.find(option); at != std::string::npos)
      given.out.erase(at, option.size());
    EXPECT_EQ(given.status, named.status) << given.err;
    EXPECT_EQ(given.out, named.out);
    EXPECT_EQ(given.err, named.err);
    EXPECT_EQ(given.err.find("train.txt"), std::string::npos) << given.err;
  }
}

TEST_F(WorkspaceOfVerbs, HasTheTextsOfRunsThatAreCancelledAndStartedAgain) {
  for (const char* verb : {"cancel", "retry"}) {
    const Ran ran = run_lcsm({verb, file(), "--workspace", workspace().string()});
    EXPECT_EQ(ran.status, 0) << ran.err;
    EXPECT_NE(ran.out.find("2 of 2 runs"), std::string::npos) << ran.out;
  }
}

TEST_F(WorkspaceOfVerbs, HasTheTextsOfAPlan) {
  const Ran ran = run_lcsm({"plan", file(), "--workspace", workspace().string()});
  EXPECT_EQ(ran.status, 0) << ran.err;
  EXPECT_NE(ran.out.find("points      2: 2 new\n"), std::string::npos) << ran.out;
  fs::remove(workspace() / "data" / "text" / "train.txt");
  const Ran missing = run_lcsm({"plan", file(), "--workspace", workspace().string()});
  EXPECT_EQ(missing.status, 3);
  EXPECT_NE(missing.err.find("got none in '" + (workspace() / "data/text").string() + "'"),
            std::string::npos)
      << missing.err;
}

TEST_F(WorkspaceOfVerbs, ARunGeneratesTheDataThatItLacks) {
  std::ofstream(file()) << R"(base.optim = { steps = 20, epochs = 0 }
base.eval = { steps = 10, epochs = 0 }
base.model.code = "1-1-1-0"
grid.task.name = ["lra-listops", "lra-image"]
[[when]]
match.task.name = "lra-listops"
set.task = { length = 30, data = "few", data_options = "--over 3 --under 30 --train 20 --valid 5 --test 5" }
[[when]]
match.task.name = "lra-image"
set.task = { length = 144, data = "digits-12" }
)";
  const auto has = [&](const char* set) {
    return fs::exists(workspace() / "data" / set / "test.set");
  };
  const Words run = {"run",         file(),
                     "--workspace", workspace().string(),
                     "--trainer",   program_beside("fake_train").string()};
  Words dry = run;
  dry.push_back("--dry-run");
  const Ran refused = run_lcsm(dry);
  EXPECT_EQ(refused.status, 3);
  EXPECT_NE(refused.err.find("`lcsm data make digits-12`, as `lcsm run` does"), std::string::npos)
      << refused.err;
  EXPECT_FALSE(has("few"));
  const Ran ran = run_lcsm(run);
  EXPECT_TRUE(has("few") && has("digits-12")) << ran.err;
  for (const char* command : {"lcsm data make digits-12\n",
                              "lcsm data make lra-listops --as few --over 3 --under 30 "
                              "--train 20 --valid 5 --test 5\n"})
    EXPECT_NE(ran.err.find(command), std::string::npos) << ran.err;
  EXPECT_NE(ran.err.find("2 runs to do"), std::string::npos) << ran.err;
  EXPECT_EQ(ran.out.find("data/few"), std::string::npos) << ran.out;
  EXPECT_EQ(run_lcsm(run).err.find("lcsm data make"), std::string::npos);
}

TEST_F(WorkspaceOfVerbs, ARunRefusesDataOfOtherOptions) {
  const auto ran_with = [&](const std::string& train) {
    std::ofstream(file()) << "base.optim = { steps = 20, epochs = 0 }\n"
                             "base.eval = { steps = 10, epochs = 0 }\n"
                             "base.model.code = '1-1-1-0'\nbase.task = { name = 'lra-listops', "
                             "length = 30, data = 'few', data_options = '--over 3 --under 30 "
                             "--valid 5 --test 5 --train "
                          << train << "' }\n";
    return run_lcsm({"run", file(), "--workspace", workspace().string(), "--trainer",
                     program_beside("fake_train").string()});
  };
  EXPECT_EQ(ran_with("20").status, 0);
  EXPECT_EQ(ran_with("20").status, 0);
  const Ran other = ran_with("30");
  EXPECT_EQ(other.status, 2);
  EXPECT_NE(
      other.err.find("task.data_options: expected what `lcsm data make lra-listops --as few "),
      std::string::npos)
      << other.err;
}

// In a pipe, too, the results are of the sweep's points, with the file's names.
TEST_F(WorkspaceOfVerbs, ARunShowsModelsByTheNamesOfItsFile) {
  std::ofstream(file()) << R"(base.task = { name = "lra-image", length = 144, data = "digits-12" }
base.recipe = "etsmlp"
base.optim = { steps = 20, epochs = 0 }
base.eval = { steps = 10, epochs = 0 }
grid.model.code = ["etsmlp", "etsmlp@form=real"]
[[table]]
rows = "model.code"
values = ["optim.lr"]
)";
  const Ran ran = run_lcsm({"run", file(), "--workspace", workspace().string(), "--trainer",
                            program_beside("fake_train").string()});
  EXPECT_NE(ran.out.find("\netsmlp@form=real  "), std::string::npos) << ran.out;
  EXPECT_EQ(ran.out.find("hidden="), std::string::npos) << ran.out;
}

TEST_F(WorkspaceOfVerbs, ARunThatCannotGenerateItsDataSaysSo) {
  std::ofstream(file())
      << "base.model.code = '1-1-1-0'\nbase.task.name = 'lra-listops'\n"
         "base.task.data = 'few'\nbase.task.data_options = '--over 3 --under 4'\n";
  const Ran ran = run_lcsm({"run", file(), "--workspace", workspace().string()});
  EXPECT_EQ(ran.status, 2) << ran.err;
  EXPECT_NE(ran.err.find("expected --over to be at least 2 below --under"), std::string::npos)
      << ran.err;
}

TEST_F(WorkspaceOfVerbs, ExplainsValuesInTheOrderOfTheFile) {
  std::ofstream(file()) << "base.task.name = \"mqar\"\nbase.model.code = \"1-1-1-0\"\n"
                           "grid.seed = [9, 8, 10, 100]\n";
  const std::string out = run_lcsm({"explain", file(), "seed"}).out;
  std::size_t before = 0;
  for (const char* row : {"\nseed  9 ", "\nseed  8 ", "\nseed  10 ", "\nseed  100 "}) {
    EXPECT_LT(before, out.find(row)) << out;
    before = out.find(row);
  }
}

TEST_F(WorkspaceOfVerbs, MustBeAFolderThatCanBeMade) {
  const Ran ran = run_lcsm({"run", file(), "--workspace", "/proc/x", "--set", "task.name=mqar",
                            "--trainer", "/bin/true"});
  EXPECT_EQ(ran.status, 4) << ran.err;
  EXPECT_EQ(last_line(ran.err),
            "lcsm run: '/proc/x/runs' cannot be created: No such file or directory; choose another "
            "workspace\n");
}

}  // namespace
}  // namespace runner
