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

}  // namespace runner
