#include "runner/workspace/claim_watch.h"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <sys/stat.h>
#include <unistd.h>

#include "runner/base/process/process_facts.h"
#include "tests/runner/run_program.h"

namespace runner {
namespace {

using results::RunState;

class ClaimWatchTest : public testing::Test {
 protected:
  void make(const ClaimOwner& owner) {
    make_claim(scratch_.path(), {.silence = 100, .owner = owner}, true,
               newest_claim(scratch_.path()))
        .value();
  }
  ClaimOwner elsewhere() const {
    ClaimOwner owner = this_owner();
    owner.node = "another";
    return owner;
  }
  // `hours`: the error of that host's clock.
  void sign(int number, int hours, int second) const {
    const timespec time{1'000'000'000 + 3600 * hours + second, 0};
    const timespec times[2] = {time, time};
    const auto file = scratch_.path() / "claims" / std::to_string(number);
    ASSERT_EQ(utimensat(AT_FDCWD, file.c_str(), times, 0), 0);
  }
  ClaimLife look(double now) {
    std::int64_t judged = 0;
    const ClaimLife life = watch_.look(scratch_.path(), now, &judged);
    EXPECT_EQ(judged, newest_claim(scratch_.path()));
    return life;
  }

  ScratchFolder scratch_;
  ClaimWatch watch_;
};

TEST_F(ClaimWatchTest, OfThisHostProcessesAreAsked) {
  EXPECT_EQ(look(0), ClaimLife::kFree);
  make(this_owner());
  EXPECT_EQ(look(0), ClaimLife::kFree) << "its own";
  ClaimOwner parent = this_owner();
  parent.process = getppid();
  parent.started = facts_of_process(getppid())->started;
  make(parent);
  EXPECT_EQ(look(0), ClaimLife::kAlive);
  EXPECT_EQ(who_trains_elsewhere(scratch_.path()), "") << "it is here";
  EXPECT_NE(who_may_train(scratch_.path()), "");
  parent.started += 1;
  make(parent);
  EXPECT_EQ(look(0), ClaimLife::kFree) << "another process of that number";
  EXPECT_EQ(who_may_train(scratch_.path()), "");
  parent.started -= 1;
  parent.boot = "before";
  make(parent);
  EXPECT_EQ(look(0), ClaimLife::kFree) << "the host was restarted";
}

TEST_F(ClaimWatchTest, OfAnotherHostSignsOfLifeAre) {
  make(elsewhere());
  EXPECT_EQ(look(0), ClaimLife::kUnsure);
  EXPECT_NE(who_trains_elsewhere(scratch_.path()), "");
  EXPECT_EQ(look(99), ClaimLife::kUnsure);
  EXPECT_EQ(look(100), ClaimLife::kFree);
}

TEST_F(ClaimWatchTest, ClocksOfHostsMayDiffer) {
  make(elsewhere());
  for (const int hours : {-1000, 0, 1000}) {
    sign(1, hours, 0);
    look(1000 + hours);
    sign(1, hours, 1);
    EXPECT_EQ(look(1010 + hours), ClaimLife::kAlive);
    EXPECT_EQ(look(1109 + hours), ClaimLife::kAlive);
    EXPECT_EQ(look(1110 + hours), ClaimLife::kFree);
  }
}

TEST_F(ClaimWatchTest, AnEndOrANewerClaimBeginsAnew) {
  make(elsewhere());
  look(0);
  make(elsewhere());
  EXPECT_EQ(look(100), ClaimLife::kUnsure);
  sign(2, -1000, 0);
  EXPECT_EQ(who_trains_elsewhere(scratch_.path()), "");
  EXPECT_NE(who_may_train(scratch_.path()), "") << "its clock may be wrong";
  end_claim(scratch_.path(), 2, RunState::kInterrupted);
  EXPECT_EQ(who_may_train(scratch_.path()), "");
  EXPECT_EQ(look(101), ClaimLife::kFree);
}

}  // namespace
}  // namespace runner
