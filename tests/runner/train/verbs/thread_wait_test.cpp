// lcsm-train sets how long OpenMP threads spin, unless the environment already does.
#include <gtest/gtest.h>

#include <string>

#include "tests/runner/run_program.h"

namespace runner {
namespace {

// The environment of `lcsm-train run` while it waits to open its file, a pipe without a writer.
std::string environment_of_trainer(const Words& environment) {
  const ScratchFolder scratch;
  const std::string script =
      "mkfifo \"$1\"/config; \"$0\" run \"$1\"/config --workspace \"$1\"/ws 2>/dev/null & "
      "exec 3>\"$1\"/config; tr '\\0' '\\n' < /proc/$!/environ | grep -E '^G?OMP_'; exec 3>&-; "
      "wait";
  return run_program({"timeout", "60", "sh", "-c", script, program_beside("lcsm-train").string(),
                      scratch.path().string()},
                     environment)
      .out;
}

}  // namespace

TEST(ThreadWait, IsShortUnlessTheEnvironmentSetsIt) {
  if (program_beside("lcsm-train").empty()) GTEST_SKIP() << "lcsm-train was not built";
  EXPECT_EQ(environment_of_trainer({}), "GOMP_SPINCOUNT=5000\n");
  for (const char* theirs : {"GOMP_SPINCOUNT=7", "OMP_WAIT_POLICY=active"})
    EXPECT_EQ(environment_of_trainer({theirs}), theirs + std::string("\n"));
}

}  // namespace runner
