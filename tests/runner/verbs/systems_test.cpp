// `lcsm systems`, run as a program.
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "runner/systems/system.h"
#include "tests/runner/run_program.h"

namespace runner {
namespace {

const std::string kProgram = program_beside("lcsm").string();

Ran systems(Words words) {
  words.insert(words.begin(), {kProgram, "systems"});
  return run_program(words, {});
}

class SystemsVerb : public ::testing::Test {
 protected:
  void SetUp() override {
    if (kProgram.empty()) GTEST_SKIP() << "lcsm was not built";
  }
};

TEST_F(SystemsVerb, ListsEveryRow) {
  const Ran ran = systems({});
  EXPECT_EQ(ran.status, 0) << ran.err;
  const auto json = nlohmann::json::parse(systems({"--json"}).out);
  EXPECT_EQ(json["systems"].size(), system_rows().size());
  for (const SystemRow& row : system_rows())
    EXPECT_NE(ran.out.find(row.name), std::string::npos) << row.name;
}

TEST_F(SystemsVerb, ShowsOneWithItsOptions) {
  const Ran ran = systems({"mamba@state=4", "--d", "64"});
  EXPECT_EQ(ran.status, 0) << ran.err;
  for (const char* part : {"mamba@state=4", "state=4", "left out", "mixer.log_decay", "[128,4]"})
    EXPECT_NE(ran.out.find(part), std::string::npos) << part << "\n" << ran.out;
}

TEST_F(SystemsVerb, SaysWhatWasMeant) {
  const Ran ran = systems({"mmaba"});
  EXPECT_EQ(ran.status, 2);
  EXPECT_NE(ran.err.find("did you mean 'mamba'?"), std::string::npos) << ran.err;
}

}  // namespace
}  // namespace runner
