// `lcsm-train gates`, and `lcsm show RUN --gates`, which becomes it.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <fstream>
#include <nlohmann/json.hpp>

#include "runner/config/run/run_id.h"
#include "runner/data/own/own_data.h"
#include "tests/runner/run_program.h"
#include "tests/runner/train/trainer/small_run.h"

namespace runner {
namespace {

class Gates : public testing::Test {
 protected:
  void SetUp() override {
    if (program_beside("lcsm").empty() || program_beside("lcsm-train").empty())
      GTEST_SKIP() << "lcsm or lcsm-train was not built";
  }
  std::string trained(const std::vector<std::string>& more) const {
    RunConfig config = config_of(small_run(), more);
    pin_data(config, scratch.path());
    EXPECT_EQ(train(config, scratch.path()), results::RunState::kDone);
    return run_id(config);
  }
  Ran lcsm(Words words) const {
    words.insert(words.begin(), program_beside("lcsm").string());
    words.insert(words.end(), {"--workspace", scratch.path().string()});
    return run_program(words);
  }
  const ScratchFolder scratch;
};

}  // namespace

TEST_F(Gates, AreShownOfATrainedRun) {
  const std::string id = trained({"model.layers=2", "eval.batch=4"});
  const Ran page = lcsm({"show", id.substr(0, 6), "--gates", "--checkpoint", "last"});
  EXPECT_EQ(page.status, 0) << page.err;
  EXPECT_TRUE(has(page.out, "step 7: 4 examples of the split valid, 8 steps each\n")) << page.out;
  EXPECT_TRUE(has(page.out, "half-life: 5 %")) << page.out;
  EXPECT_FALSE(has(page.out, "head")) << page.out;
  const Ran text = lcsm({"show", id, "--gates", "--json"});
  const auto json = nlohmann::json::parse(text.out);
  EXPECT_EQ(json["schema"], "lcsm.gates/1");
  EXPECT_EQ(json["id"], id);
  ASSERT_EQ(json["gates"].size(), 2u);
  const auto& gate = json["gates"][1];
  EXPECT_EQ(gate["layer"], 1);
  EXPECT_EQ(gate["kind"], "oscillation");
  const double median = gate["quantiles"][1];
  EXPECT_GT(median, 0);
  EXPECT_LT(median, 1);
  EXPECT_NEAR(gate["half_lives"][1], std::log(2) / -std::log(median), 1e-9);
  EXPECT_EQ(gate["state_norms"].size(), 3u);
}

TEST_F(Gates, OfOtherTextsThanTheRunsAreRefused) {
  const auto text = scratch.path() / "text.txt";
  for (int i = 100; i < 200; ++i) std::ofstream(text, std::ios::app) << "line " << i * i << "\n";
  const std::string id = trained({"task.name=text", "task.path=" + text.string()});
  EXPECT_EQ(lcsm({"show", id, "--gates"}).status, 0);
  std::ofstream(text, std::ios::app) << "a line more\n";
  const Ran other = lcsm({"show", id, "--gates"});
  EXPECT_EQ(other.status, 2) << other.out;
  EXPECT_TRUE(has(other.err, "the run was configured for other texts")) << other.err;
}

TEST_F(Gates, PrintTheVolumeOfEachStateAfterEachStep) {
  const std::string id = trained({"model.layers=2", "eval.batch=4"});
  const Ran csv = run_program({program_beside("lcsm-train").string(), "gates", id, "--volumes",
                               "--split", "test", "--workspace", scratch.path().string()});
  EXPECT_EQ(csv.status, 0) << csv.err;
  EXPECT_TRUE(csv.out.starts_with("layer,part,step,volume\n0,0,1,")) << csv.out;
  EXPECT_EQ(std::count(csv.out.begin(), csv.out.end(), '\n'), 1 + 2 * 8) << csv.out;
}

TEST_F(Gates, OfAttentionAreNone) {
  const std::string id = trained({"model.family=attention", "model.code=", "model.heads=2"});
  const Ran none = lcsm({"show", id, "--gates"});
  EXPECT_EQ(none.status, 2);
  EXPECT_TRUE(has(none.err, "expected layers with a recurrence or a filter, got none")) << none.err;
  EXPECT_EQ(lcsm({"show", id, "--checkpoint", "last"}).status, 2) << "it needs --gates";
  EXPECT_EQ(lcsm({"show", id, "--diff", "--gates"}).status, 2);
}

}  // namespace runner
