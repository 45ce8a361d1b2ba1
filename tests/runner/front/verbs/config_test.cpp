// `lcsm config`, run as a program.
#include <gtest/gtest.h>

#include <fstream>
#include <nlohmann/json.hpp>
#include <sstream>

#include "tests/runner/run_program.h"

namespace runner {
namespace {

class Config : public ::testing::Test {
 protected:
  Ran config(Words words) {
    words.insert(words.begin(), "config");
    return run_lcsm(words, {"LCSM_OSCILLATIONS="});
  }

  std::string file(const std::string& text) {
    const std::string path = folder_.path() / "my.toml";
    std::ofstream(path) << text;
    return path;
  }

  ScratchFolder folder_;
};

}  // namespace

TEST_F(Config, ListsEveryKeyWithHelp) {
  const Ran ran = config({});
  EXPECT_EQ(ran.status, 0);
  EXPECT_EQ(ran.err, "");
  for (const char* part :
       {"optim.lr", "peak learning rate", "0.0005", "(above 0 to 1000000000)",
        "(auto, cpu, cuda) *", "with task.name = mqar", "optim.schedule=cosine-epochs"})
    EXPECT_TRUE(has(ran.out, part)) << part;
}

TEST_F(Config, FitsATerminal) {
  const Ran ran = run_on_terminal({program_beside("lcsm").string(), "config"},
                                  {"LCSM_OSCILLATIONS=", "NO_COLOR=1"});
  EXPECT_EQ(ran.status, 0);
  std::istringstream lines(ran.out);
  for (std::string line; std::getline(lines, line);) EXPECT_LE(line.size(), 80u) << line;
}

TEST_F(Config, ShowsWhereEachValueWasSet) {
  const std::string path = file("task.name = 'mqar'\nmodel.code = '1-9-1-0'\n");
  const Ran ran = config({path, "--set", "optim.lr=0.5", "--set", "task.format=raw"});
  EXPECT_EQ(ran.status, 0);
  EXPECT_TRUE(has(ran.out, "# run ")) << ran.out;
  EXPECT_TRUE(has(ran.out, "name = \"mqar\"               # " + path + ":1:13\n")) << ran.out;
  EXPECT_TRUE(has(ran.out, "lr = 0.5                    # --set\n"));
  EXPECT_TRUE(has(ran.out, "length = 64                 # default of mqar\n"));
  EXPECT_EQ(ran.err,
            "lcsm config: --set: task.format has no effect with task.name = mqar and is "
            "ignored\n");
}

TEST_F(Config, ReportsAllMistakesAtOnce) {
  const std::string path = file("task.name = 'mqra'\nsede = 1\n");
  const Ran ran = config({path, "--set", "lr=1"});
  EXPECT_EQ(ran.status, 2);
  EXPECT_EQ(ran.out, "");
  for (const std::string& part : {path + ":1:13: ", path + ":2:1: ", std::string("--set:1:1: "),
                                  std::string("\n  sede = 1\n  ^\n")})
    EXPECT_TRUE(has(ran.err, part)) << ran.err;
}

TEST_F(Config, WritesJsonThatNamesItsSchema) {
  const auto keys = nlohmann::json::parse(config({"--json"}).out);
  EXPECT_EQ(keys["schema"], "lcsm.keys/1");
  EXPECT_EQ(keys["keys"][0]["key"], "recipe");
  EXPECT_EQ(keys["keys"][1]["key"], "task.name");
  EXPECT_EQ(keys["keys"][1]["default"], nullptr);
  EXPECT_EQ(keys["tasks"][0]["task"], "mqar");
  const auto json = nlohmann::json::parse(
      config({"--set", "task.name=mqar", "--set", "model.code=ssm", "--json"}).out);
  EXPECT_EQ(json["schema"], "lcsm.config/1");
  EXPECT_EQ(json["id"].get<std::string>().size(), 32u);
  EXPECT_EQ(json["identity"].dump(), R"({"model.code":"ssm","task.name":"mqar"})");
  EXPECT_EQ(json["keys"][1]["set_by"], "--set");
}

TEST_F(Config, CompletesSettings) {
  const Ran ran =
      run_lcsm({"__complete", "zsh", "config", "--set", "model.fam"}, {"LCSM_OSCILLATIONS="});
  EXPECT_TRUE(has(ran.out, "model.family=attention")) << ran.out;
}

}  // namespace runner
