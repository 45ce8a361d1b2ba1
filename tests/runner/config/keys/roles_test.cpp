// The roles of our keys in tables.
#include "runner/config/keys/roles.h"

#include <gtest/gtest.h>

namespace runner {
namespace {

results::Parameters run_of(const std::string& task, const results::Parameters& more = {}) {
  results::Parameters run = {{"task.name", task}, {"task.valid", "300"}, {"task.test", "400"}};
  run.insert(more.begin(), more.end());
  return run;
}

}  // namespace

TEST(Roles, KnowHowManyExamplesAreEvaluated) {
  EXPECT_EQ(kRoles.examples("valid", run_of("mqar")), 300);
  EXPECT_EQ(kRoles.examples("test", run_of("mqar")), 400);
  EXPECT_EQ(kRoles.examples("test", run_of("mqar", {{"eval.examples", "50"}})), 50);
  EXPECT_EQ(kRoles.examples("test", run_of("mqar", {{"eval.examples", "0"}})), 400);
  EXPECT_EQ(kRoles.examples("test", run_of("lra-image")), 10000);
}

// Other data sets have other sizes: the runs of earlier versions do not tell them. Texts have no
// examples.
TEST(Roles, DoNotGuessANumberOfExamples) {
  EXPECT_EQ(kRoles.examples("test", run_of("classify")), 0);
  EXPECT_EQ(kRoles.examples("test", run_of("classify", {{"eval.examples", "50"}})), 50);
  EXPECT_EQ(kRoles.examples("test", run_of("lra-listops", {{"task.content", "e3b0"}})), 0);
  EXPECT_EQ(kRoles.examples("test", run_of("wikitext-103")), 0);
  EXPECT_EQ(kRoles.examples("train", run_of("mqar")), 0);
  EXPECT_EQ(kRoles.examples("test", {}), 0);
}

TEST(Roles, BelieveTheSizesThatARunTold) {
  results::Parameters told = {
      {"task.content", "e3b0"}, {"examples.valid", "7"}, {"examples.test", "9"}};
  for (const char* task : {"lra-listops", "classify"}) {
    EXPECT_EQ(kRoles.examples("valid", run_of(task, told)), 7);
    EXPECT_EQ(kRoles.examples("test", run_of(task, told)), 9);
  }
  told["eval.examples"] = "8";
  EXPECT_EQ(kRoles.examples("test", run_of("classify", told)), 8);
  told["eval.examples"] = "0";
  told["task.data"] = "another";  // of an evaluation
  EXPECT_EQ(kRoles.examples("test", run_of("lra-listops", told)), 0);
}

TEST(Roles, KnowWhatStepsTrainOn) {
  const results::Parameters sizes = {{"optim.batch", "32"}, {"task.length", "64"}};
  EXPECT_EQ(kRoles.trained(1000, run_of("mqar", sizes)), "2048000 tokens");
  EXPECT_EQ(kRoles.trained(1000, run_of("lra-image", sizes)), "32000 examples");
  EXPECT_EQ(kRoles.trained(1000, run_of("no-such-task", sizes)), "");
  EXPECT_EQ(kRoles.trained(1000, {}), "");
}

}  // namespace runner
