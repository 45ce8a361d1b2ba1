// `lcsm-train params`, run as a program.
#include <gtest/gtest.h>

#include <chrono>
#include <map>
#include <nlohmann/json.hpp>

#include "runner/base/process/command.h"
#include "runner/base/process/process_facts.h"

namespace runner {
namespace {

using namespace std::chrono_literals;

class Params : public testing::Test {
 protected:
  void SetUp() override {
    if (!std::filesystem::exists(program)) GTEST_SKIP() << "lcsm-train was not built";
  }
  std::string program = program_folder() / "lcsm-train";
};

}  // namespace

TEST_F(Params, ListsEveryTensorWithItsShapeAndFirstValues) {
  const CommandResult r =
      run_command({program, "params", "ssm", "--d", "32", "--k", "4", "--json"}, 60s);
  ASSERT_TRUE(r.ok()) << r.err;
  const auto json = nlohmann::json::parse(r.out);
  EXPECT_EQ(json["schema"], "lcsm-train.params/1");
  std::map<std::string, nlohmann::json> by_name;
  for (const auto& p : json["parameters"]) by_name[p["name"]] = p;
  EXPECT_EQ(by_name["oscillation.p_d.down.weight"]["shape"], (std::vector<int>{2, 32}));
  EXPECT_EQ(by_name["oscillation.w_kd"]["init"], "log(1 + index_k)");
  EXPECT_EQ(by_name["oscillation.w_kd"]["group"], "gate");
  EXPECT_EQ(json["parameters"].size(), 9U);
}

TEST_F(Params, ListsTheTensorsOfABlock) {
  const CommandResult r =
      run_command({program, "params", "ces@bidirectional=true", "--d", "4", "--json"}, 60s);
  ASSERT_TRUE(r.ok()) << r.err;
  const auto first = nlohmann::json::parse(r.out)["parameters"][0];
  EXPECT_EQ(first["name"], "log_rate");
  EXPECT_EQ(first["shape"], (std::vector<int>{2, 4, 2}));
}

TEST_F(Params, ListsTheTensorsOfANamedSystem) {
  const CommandResult r = run_command({program, "params", "mamba@state=4", "--d", "32"}, 60s);
  ASSERT_TRUE(r.ok()) << r.err;
  EXPECT_NE(r.out.find("mixer.log_decay                 [64,4]"), std::string::npos) << r.out;
  EXPECT_NE(r.out.find("total                           7616"), std::string::npos) << r.out;
  const CommandResult s = run_command({program, "params", "hgrn", "--json"}, 60s);
  EXPECT_NE(s.out.find("shared.mixer.lower_bound"), std::string::npos) << s.out;
}

TEST_F(Params, SetsALongNameApartFromItsShape) {
  const CommandResult layer = run_command({program, "params", "gla", "--d", "8"}, 60s);
  EXPECT_NE(layer.out.find("mixer.oscillation.p_k.down.weight [16,8]"), std::string::npos)
      << layer.out;
  const CommandResult model =
      run_command({program, "params", "--set", "task.name=mqar", "--set", "model.system=gla"}, 60s);
  EXPECT_NE(model.out.find("mixer.oscillation.p_k.down.weight [16,"), std::string::npos)
      << model.out;
}

TEST_F(Params, PointsAtTheMistakeInACode) {
  const CommandResult r = run_command({program, "params", "1-9-1-99"}, 60s);
  EXPECT_EQ(r.exit_code, 2);
  EXPECT_NE(r.err.find("code:1:7: a must be 0 to "), std::string::npos) << r.err;
}

TEST_F(Params, AndBenchesSayWhichSettingsHaveNoEffect) {
  const CommandResult r = run_command({program, "params", "--set", "task.name=tiny-shakespeare",
                                       "--set", "model.code=1-3-1-0", "--set", "task.vocab=7"},
                                      60s);
  EXPECT_NE(r.err.find("task.vocab has no effect with task.name"), std::string::npos) << r.err;
  const CommandResult b = run_command({program,
                                       "bench",
                                       "step",
                                       "--task",
                                       "text",
                                       "--models",
                                       "1-3-1-0",
                                       "1-10-1-0",
                                       "--alone",
                                       "--budget",
                                       "0",
                                       "--set",
                                       "model.d=8",
                                       "--set",
                                       "model.k=4",
                                       "--set",
                                       "model.layers=1",
                                       "--set",
                                       "task.length=16",
                                       "--set",
                                       "optim.batch=2",
                                       "--set",
                                       "task.vocab=7"},
                                      60s);
  EXPECT_TRUE(b.ok()) << b.err;
  const std::size_t said = b.err.find("task.vocab has no effect with task.name");
  EXPECT_NE(said, std::string::npos) << b.err;
  EXPECT_EQ(b.err.find("no effect", said + 40), std::string::npos) << b.err;
}

TEST_F(Params, ListsTheModelOfAConfiguration) {
  const std::vector<std::string> words = {
      program, "params", "--set", "task.name=tiny-shakespeare", "--set", "model.code=1-9-1-0"};
  const CommandResult r = run_command(words, 60s);
  ASSERT_TRUE(r.ok()) << r.err;
  EXPECT_NE(r.out.find("10 layers, 256 tokens"), std::string::npos) << r.out;
  std::vector<std::string> json = words;
  json.insert(json.end(), {"--vocab", "300", "--json"});
  const auto parameters = nlohmann::json::parse(run_command(json, 60s).out)["parameters"];
  EXPECT_EQ(parameters[0]["name"], "embedding.weight");
  EXPECT_EQ(parameters[0]["shape"], (std::vector<int>{300, 512}));
  EXPECT_EQ(parameters.size(), 1U + 10 * (8 + 4 + 3) + 2);
}

TEST_F(Params, RequiresTheSizeOfTheVocabulary) {
  const CommandResult r = run_command(
      {program, "params", "--set", "task.name=wikitext-2", "--set", "model.code=ssm"}, 60s);
  EXPECT_EQ(r.exit_code, 2);
  EXPECT_NE(r.err.find("--vocab"), std::string::npos) << r.err;
}

TEST_F(Params, ReportsAMissingArgument) {
  EXPECT_EQ(run_command({program, "params"}, 60s).exit_code, 2);
  EXPECT_EQ(run_command({program, "params", "ssm", "--set", "seed=2"}, 60s).exit_code, 2);
}

TEST_F(Params, OfApplyNameTheMissingFile) {
  const CommandResult r = run_command(
      {program, "apply", "1-9-1-0", "--weights", "none.safetensors", "--out", "x"}, 60s);
  EXPECT_NE(r.exit_code, 0);
  EXPECT_NE(r.err.find("none.safetensors"), std::string::npos) << r.err;
}

}  // namespace runner
