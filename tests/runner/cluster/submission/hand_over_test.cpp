#include "runner/cluster/submission/hand_over.h"

#include <gtest/gtest.h>

#include "tests/runner/run_program.h"

namespace runner {

TEST(HandOver, WordsAreQuotedForAShell) {
  const Words words = {"a b", "it's", "--x=1", "$HOME", ""};
  std::string expected;
  for (const std::string& word : words) expected += word + "\n";
  EXPECT_EQ(run_program({"sh", "-c", "printf '%s\\n' " + shell_line(words)}).out, expected);
}

TEST(HandOver, SubmitsWhatIsQueuedAndNotKnown) {
  Work work;
  for (const char* id : {"new", "cancelled", "failed", "known"}) {
    RunToDo run;
    run.job.id = id;
    run.job.cancelled = run.job.id == "cancelled";
    run.job.queued = run.job.id != "failed";
    work.runs.push_back(run);
  }
  const std::vector<RunToDo> runs = runs_to_submit(work, {"known"});
  ASSERT_EQ(runs.size(), 1u);
  EXPECT_EQ(runs[0].job.id, "new");
}

TEST(HandOver, WorkersHaveTheRulesOfTheOptions) {
  EngineSettings settings;
  settings.policy.retries = 5;
  settings.budget = {.jobs = 3, .timeout = "2h", .grace = "30s", .still = "5m"};
  const ElementRules rules = rules_of(settings);
  EXPECT_EQ(rules.jobs, 3);
  EXPECT_EQ(rules.retries, 5);
  EXPECT_EQ(rules.timeout, 7200);
  EXPECT_EQ(rules.grace, 30);
  EXPECT_EQ(rules.stall, 300);
}

}  // namespace runner
