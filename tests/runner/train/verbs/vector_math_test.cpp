// One thread chooses the code of MKL's vector functions, before other threads start.
#include <gtest/gtest.h>

#include "tests/runner/run_program.h"

namespace runner {

TEST(VectorMath, IsChosenBeforeThereAreThreads) {
  if (program_beside("lcsm-train").empty()) GTEST_SKIP() << "lcsm-train was not built";
  const Ran ran = run_program({program_beside("lcsm-train"), "--version"},
                              {"LD_PRELOAD=" + program_beside("libwatch_mkl.so").string(),
                               "ASAN_OPTIONS=verify_asan_link_order=0"});
  EXPECT_EQ(ran.err, "vector functions: 1 thread(s)\n");
}

}  // namespace runner
