#include <gtest/gtest.h>

#include "tests/runner/front/lcsm_test.h"

namespace runner {

using NewVerb = LcsmTest;

TEST_F(NewVerb, WritesASweepThatCanBePlanned) {
  const std::string file = (scratch.path() / "mine.toml").string();
  EXPECT_EQ(run_lcsm({"new", file}).out,
            file + " is written: a sweep of six small runs. Next: lcsm plan " + file + "\n");
  const Ran plan = lcsm({"plan", file});
  EXPECT_EQ(plan.status, 0);
  EXPECT_EQ(plan.err, "");
  EXPECT_TRUE(has(plan.out, "6: 6 new")) << plan.out;
}

TEST_F(NewVerb, OverwritesNothing) {
  const std::string file = (scratch.path() / "mine.toml").string();
  results::write_text(file, "title = \"mine\"\n");
  const Ran ran = run_lcsm({"new", file});
  EXPECT_EQ(ran.status, 4);
  EXPECT_TRUE(has(ran.err, file + " exists: name a new file")) << ran.err;
  EXPECT_EQ(read_file(file), "title = \"mine\"\n");
  EXPECT_EQ(run_lcsm({"new", "mine"}).status, 2);
}

}  // namespace runner
