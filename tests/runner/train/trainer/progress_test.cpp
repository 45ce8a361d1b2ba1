#include "runner/train/trainer/progress.h"

#include <gtest/gtest.h>

#include <algorithm>

namespace runner {
namespace {

TEST(Progress, ShowsTheStepAndTheTimeLeft) {
  const ProgressFacts facts{120, 1000, 2.31456, "valid.accuracy 0.93", 1.2e6};
  EXPECT_EQ(progress_text(facts, 20, 10),
            "step 120/1000, loss 2.315, valid.accuracy 0.93, 120 k tokens/s, 1 min 28 s left");
}

TEST(Progress, LeavesOutWhatIsUnknown) {
  EXPECT_EQ(progress_text({1, 10, 2, "", 5}, 1, 0), "step 1/10, loss 2");
  EXPECT_EQ(progress_text({7, 0, 2, "", 700}, 0, 1), "step 7, loss 2, 700 tokens/s");
}

TEST(Progress, PrintsALineNowAndThenOutsideATerminal) {
  testing::internal::CaptureStderr();
  {
    Progress often(false, std::chrono::seconds(0)), seldom(false, std::chrono::hours(1));
    for (int step = 1; step <= 3; ++step) {
      often.show({step, 3, 1, "", 1});
      seldom.show({step, 3, 1, "", 1});
    }
  }
  const std::string out = testing::internal::GetCapturedStderr();
  EXPECT_EQ(std::count(out.begin(), out.end(), '\n'), 3) << out;
  EXPECT_EQ(out.find('\r'), std::string::npos);
}

}  // namespace
}  // namespace runner
