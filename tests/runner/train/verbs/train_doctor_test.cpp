// Runs lcsm-train, as `lcsm` does; the test itself links no torch.
#include <gtest/gtest.h>

#include <chrono>
#include <nlohmann/json.hpp>

#include "lcsm/base/words.h"
#include "runner/base/process/command.h"
#include "runner/base/process/process_facts.h"

namespace runner {
namespace {

using namespace std::chrono_literals;

class TrainDoctor : public testing::Test {
 protected:
  void SetUp() override {
    if (!std::filesystem::exists(program)) GTEST_SKIP() << "lcsm-train was not built";
  }
  std::string program = program_folder() / "lcsm-train";
};

TEST_F(TrainDoctor, PrintsJsonWithPositiveRates) {
  const CommandResult r = run_command({program, "doctor", "--json", "--quick"}, 60s);
  ASSERT_TRUE(r.ok()) << r.err;
  const auto json = nlohmann::json::parse(r.out);
  EXPECT_EQ(json["schema"], "lcsm-train.doctor/1");
  EXPECT_EQ(json["libtorch"]["version"], "2.11.0");
  EXPECT_NE(json["libtorch"]["path"], "");
  EXPECT_NE(json["cpu"]["capability"], "");
  ASSERT_GE(json["ceilings"].size(), 5U);
  for (const auto& rate : json["ceilings"]) EXPECT_GT(rate["best"].get<double>(), 0) << rate;
  const auto& cuda = json["cuda"];
  if (!cuda["available"]) {
    EXPECT_NE(cuda["reason"], "");
  }
}

TEST_F(TrainDoctor, ADeviceThatIsMissingHasAnExitCode) {
  for (const std::string verb : {"doctor", "tune", "bench eos", "bench ets", "bench step"}) {
    std::vector<std::string> words{program};
    for (const std::string& word : lcsm::words_of(verb)) words.push_back(word);
    if (verb != "tune") words.insert(words.end(), {"--device", "cuda"});
    const CommandResult r = run_command(words, 60s);
    if (r.ok()) GTEST_SKIP() << "there is a GPU";
    EXPECT_EQ(r.exit_code, 3) << verb;
    EXPECT_EQ(r.out, "") << verb;
    EXPECT_NE(r.err.find("no CUDA device: "), std::string::npos) << r.err;
  }
}

TEST_F(TrainDoctor, WrongUsageHasAnExitCode) {
  EXPECT_EQ(run_command({program, "docter"}, 60s).exit_code, 2);
  EXPECT_EQ(run_command({program, "doctor", "--device", "abacus"}, 60s).exit_code, 2);
  EXPECT_EQ(run_command({program, "--help"}, 60s).exit_code, 0);
}

}  // namespace
}  // namespace runner
