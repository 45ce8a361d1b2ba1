// `lcsm-train eval`.
#include <gtest/gtest.h>

#include <fstream>

#include "results/events/run_folder.h"
#include "runner/config/run/run_id.h"
#include "tests/runner/run_program.h"
#include "tests/runner/train/trainer/small_run.h"

namespace runner {

TEST(Eval, PrintsARefusalOfSeveralRunsOnce) {
  if (program_beside("lcsm-train").empty()) GTEST_SKIP() << "lcsm-train was not built";
  const ScratchFolder scratch;
  Words words = {program_beside("lcsm-train").string(),
                 "eval",
                 "--set",
                 "task.length=0",
                 "--workspace",
                 scratch.path().string()};
  for (const char* seed : {"seed=1", "seed=2", "seed=3"}) {
    const RunConfig config = config_of(small_run(), {seed});
    ASSERT_EQ(train(config, scratch.path()), results::RunState::kDone);
    words.push_back(run_id(config));
  }
  const Ran ran = run_program(words);
  EXPECT_EQ(ran.status, 2);
  EXPECT_TRUE(has(ran.err, "lcsm-train eval: the same of 2 more runs: --set:1:13: task.length: "))
      << ran.err;
  EXPECT_EQ(ran.err.find("task.length=0\n"), ran.err.rfind("task.length=0\n")) << ran.err;
}

TEST(Eval, AResultThatCannotBeWrittenEndsLikeAnyOutput) {
  if (program_beside("lcsm-train").empty()) GTEST_SKIP() << "lcsm-train was not built";
  const ScratchFolder scratch;
  const RunConfig config = config_of(small_run(), {});
  ASSERT_EQ(train(config, scratch.path()), results::RunState::kDone);
  std::ofstream(results::run_folder(scratch.path(), run_id(config)) / "evaluations");
  const Ran ran = run_program({program_beside("lcsm-train").string(), "eval", run_id(config),
                               "--workspace", scratch.path().string()});
  EXPECT_EQ(ran.status, 4) << ran.err;
}

}  // namespace runner
