// lcsm-train says to OpenMP how long its threads wait awake, unless somebody has said so.
#include <gtest/gtest.h>

#include <string>

#include "tests/runner/run_program.h"

namespace runner {
namespace {

// What `lcsm-train run` has in its environment when it asks for its file: a pipe it never gets.
std::string environment_of_trainer(const Words& environment) {
  const ScratchFolder scratch;
  const std::string script =
      "mkfifo \"$1\"/config; \"$0\" run \"$1\"/config --workspace \"$1\"/ws 2>/dev/null & "
      "exec 3>\"$1\"/config; tr '\\0' '\\n' < /proc/$!/environ; exec 3>&-; wait";
  return run_program({"timeout", "60", "sh", "-c", script, program_beside("lcsm-train").string(),
                      scratch.path().string()},
                     environment)
      .out;
}

std::size_t count(const std::string& text, const std::string& part) {
  std::size_t n = 0;
  for (std::size_t at = text.find(part); at != std::string::npos; at = text.find(part, at + 1)) ++n;
  return n;
}

}  // namespace

TEST(ThreadWait, IsShortUnlessSaidOtherwise) {
  if (program_beside("lcsm-train").empty()) GTEST_SKIP() << "there is no lcsm-train";
  EXPECT_EQ(count(environment_of_trainer({}), "GOMP_SPINCOUNT=5000\n"), 1u);
  const std::string theirs = environment_of_trainer({"GOMP_SPINCOUNT=7"});
  EXPECT_EQ(count(theirs, "GOMP_SPINCOUNT="), 1u);
  EXPECT_EQ(count(theirs, "GOMP_SPINCOUNT=7\n"), 1u);
  EXPECT_EQ(count(environment_of_trainer({"OMP_WAIT_POLICY=active"}), "GOMP_SPINCOUNT"), 0u);
}

}  // namespace runner
