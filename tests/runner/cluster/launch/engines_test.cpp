#include "runner/cluster/launch/engines.h"

#include <gtest/gtest.h>

#include <stdexcept>

#include "runner/base/process/exit_code.h"
#include "tests/runner/run_program.h"

namespace runner {
namespace {

// An engine that only this test knows. Its queue holds one run.
class FakeEngine : public Engine {
 public:
  static std::unique_ptr<Engine> make(const EngineSettings&) {
    return std::make_unique<FakeEngine>();
  }
  int slots() const override { return 7; }
  std::string plan(const Work& work) const override { return work.sweep.name + " on a fake\n"; }
  void start(const Work&) override { throw Failure(ExitCode::kFailed, "the fake is full"); }
  SweepRunResult watch(const Work&, const SweepRunWatcher&) override { return {.stopped = true}; }
  std::string running(double) override { return "fake 1"; }
  std::vector<std::string> why(const std::string& id) override {
    if (id.empty()) throw std::runtime_error("the fake does not answer");
    return {"fake 1 has " + id};
  }
  std::vector<std::string> cancel(const std::set<std::string>& over) override {
    return {over.begin(), over.end()};
  }
  std::optional<EngineCheck> check() const override { return EngineCheck{.value = "well"}; }
  bool is_here() const override { return true; }
};

const std::vector<EngineRow>& with_a_fake() {
  static const std::vector<EngineRow> kRows = [] {
    std::vector<EngineRow> rows(kEngines.begin(), kEngines.end());
    rows.push_back({"fake", "an engine for tests", false, FakeEngine::make});
    return rows;
  }();
  return kRows;
}

using Lines = std::vector<std::string>;

class EnginesTest : public testing::Test {
 protected:
  ScratchFolder workspace_;
  Engines none_{workspace_.path()}, engines_{workspace_.path(), with_a_fake()};
  Lines errors_;
  Engines::Said failed_ = [this](const std::string& error) { errors_.push_back(error); };
};

TEST_F(EnginesTest, AnswerForAWorkspaceInWhichNothingTrains) {
  EXPECT_EQ(none_.running(0), "");
  EXPECT_EQ(none_.why("3f9c", failed_), Lines{});
  EXPECT_EQ(none_.cancel({"3f9c"}, failed_), Lines{});
  EXPECT_EQ(none_.here(), nullptr);
  EXPECT_EQ(errors_, Lines{});
}

TEST_F(EnginesTest, ARowIsAllThatANewOneNeeds) {
  EXPECT_EQ(engines_.running(0), "fake 1");
  EXPECT_EQ(engines_.why("3f9c", failed_), Lines{"fake 1 has 3f9c"});
  EXPECT_EQ(engines_.cancel({"3f9c"}, failed_), Lines{"3f9c"});
  EXPECT_EQ(engines_.checks().back().first, "fake");
  ASSERT_NE(engines_.here(), nullptr);
  EXPECT_EQ(engines_.here()->slots(), 7);
  EXPECT_EQ(engines_.here()->seconds_left(), std::nullopt);
  EXPECT_EQ(errors_, Lines{});
}

TEST_F(EnginesTest, AnErrorOfOneLeavesTheOthersTheirAnswers) {
  EXPECT_EQ(engines_.why("", failed_), Lines{});
  EXPECT_EQ(errors_, Lines{"the fake does not answer"});
}

TEST_F(EnginesTest, HaveTheDefaultFirstAndNoNameTwice) {
  EXPECT_TRUE(kEngines.front().attended);
  std::set<std::string_view> names;
  for (const EngineRow& row : kEngines) EXPECT_TRUE(names.insert(row.name).second) << row.name;
}

}  // namespace
}  // namespace runner
