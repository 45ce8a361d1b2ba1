// `lcsm systems`, run as a program.
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "runner/systems/system.h"
#include "tests/runner/run_program.h"

namespace runner {
namespace {

Ran systems(Words words) {
  words.insert(words.begin(), "systems");
  return run_lcsm(words);
}

TEST(SystemsVerb, ListsEveryRow) {
  const Ran ran = systems({});
  EXPECT_EQ(ran.status, 0) << ran.err;
  const Ran list = systems({"--json"});
  ASSERT_EQ(list.status, 0) << list.err;
  EXPECT_EQ(nlohmann::json::parse(list.out)["systems"].size(), system_rows().size());
  for (const SystemRow& row : system_rows())
    EXPECT_NE(ran.out.find(row.name), std::string::npos) << row.name;
}

TEST(SystemsVerb, ShowsOneWithItsOptions) {
  const Ran ran = systems({"mamba@state=4", "--d", "64"});
  EXPECT_EQ(ran.status, 0) << ran.err;
  for (const char* part : {"mamba@state=4", "state=4", "left out", "mixer.log_decay", "[128,4]"})
    EXPECT_NE(ran.out.find(part), std::string::npos) << part << "\n" << ran.out;
}

TEST(SystemsVerb, KeepsColumnsApart) {
  const std::string gla = systems({"gla"}).out, hgrn = systems({"hgrn"}).out;
  EXPECT_NE(gla.find("mixer.oscillation.p_k.down.weight [16,512]"), std::string::npos) << gla;
  EXPECT_NE(hgrn.find("feed_activation=identity activation"), std::string::npos) << hgrn;
}

TEST(SystemsVerb, TellsTheMachineAndTheCost) {
  const std::string page = systems({"transformer", "--length", "256"}).out;
  EXPECT_NE(page.find("attention over all pairs"), std::string::npos) << page;
  EXPECT_NE(page.find("per token at length 256, growing with T"), std::string::npos) << page;
  const auto json = nlohmann::json::parse(
      systems({"mamba", "transformer", "gfnet", "--d", "64", "--length", "100", "--json"}).out);
  const auto& all = json["systems"];
  EXPECT_EQ(json["length"], 100);
  EXPECT_EQ(all[0]["cost"]["state"], 128 * 16 + 3 * 128);
  EXPECT_EQ(all[0]["cost"]["state_grows"], false);
  EXPECT_EQ(all[1]["cost"]["state"], 2 * 64 * 100);
  EXPECT_EQ(all[1]["cost"]["flops"], 2 * (4 * 64 * 64 + 8 * 64 * 64) + 4 * 64 * 100);
  EXPECT_EQ(all[1]["cost"]["flops_grow"], true);
  EXPECT_EQ(all[2]["cost"]["state"], 0);
  EXPECT_NE(systems({"hgrn"}).out.find("layer=(model)"), std::string::npos);
}

TEST(SystemsVerb, ShowsAFewSideBySide) {
  const std::string out = systems({"mamba", "hgrn", "mega-chunk"}).out;
  for (const char* part : {"equation", "lambda_t e^(i theta)", "left out", "fused scan", "machine",
                           "attention within chunks; moving averages by modes"})
    EXPECT_NE(out.find(part), std::string::npos) << part << "\n" << out;
}

TEST(SystemsVerb, SaysWhatWasMeant) {
  const Ran ran = systems({"mmaba"});
  EXPECT_EQ(ran.status, 2);
  EXPECT_NE(ran.err.find("did you mean 'mamba'?"), std::string::npos) << ran.err;
}

}  // namespace
}  // namespace runner
