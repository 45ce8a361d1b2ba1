#include "runner/workspace/claim.h"

#include <gtest/gtest.h>

#include <fstream>
#include <set>
#include <thread>

#include "results/events/event_file.h"
#include "tests/results/kill_at_write.h"
#include "tests/runner/run_program.h"

namespace runner {
namespace {

namespace fs = std::filesystem;
using results::RunState;

Claim claim_wish(const std::string& node, const std::string& submission = "") {
  Claim claim{.submission = submission, .beat = 1, .silence = 5, .owner = this_owner()};
  if (!node.empty()) claim.owner.node = node;
  return claim;
}

class ClaimTest : public testing::Test {
 protected:
  const fs::path& folder() const { return scratch_.path(); }
  Claim make(const std::string& node, bool own_segment, const std::string& submission = "") {
    return make_claim(folder(), claim_wish(node, submission), own_segment, newest_claim(folder()))
        .value();
  }
  void checkpoint(const std::string& name) const {
    fs::create_directories(folder() / "checkpoints" / name);
  }

  ScratchFolder scratch_;
};

TEST_F(ClaimTest, IsReadAsItWasMadeAndNumbersGrow) {
  EXPECT_EQ(newest_claim(folder()), 0);
  EXPECT_FALSE(read_claim(folder(), 1));
  const Claim first = make("", true, "token");
  EXPECT_EQ(first.number, 1);
  EXPECT_EQ(first.segment, 1);
  EXPECT_EQ(read_claim(folder(), 1), first);
  EXPECT_EQ(make("", true).number, 2);
  EXPECT_EQ(newest_claim(folder()), 2);
  std::ofstream(folder() / "claims" / "3") << "{\"schema\"";
  EXPECT_EQ(newest_claim(folder()), 3);
  EXPECT_FALSE(read_claim(folder(), 3));
  EXPECT_EQ(make("", true).number, 4);
}

TEST_F(ClaimTest, ANumberIsBeyondSegmentsAndCheckpoints) {
  fs::create_directories(folder() / "segments");
  std::ofstream(folder() / "segments" / "5.jsonl") << "";
  EXPECT_EQ(make("", false).number, 6);
  checkpoint("60.9");
  EXPECT_EQ(make("", false).number, 10);
}

TEST_F(ClaimTest, OfManyAtOnceOneGetsEachNumber) {
  constexpr int kThreads = 8, kEach = 20;
  std::vector<std::vector<std::int64_t>> made(kThreads);
  {
    std::vector<std::jthread> threads;
    for (int i = 0; i < kThreads; ++i)
      threads.emplace_back([&, i] {
        for (int n = 0; n < kEach; ++n)
          if (const auto claim = make_claim(folder(), claim_wish(""), true, newest_claim(folder())))
            made[static_cast<std::size_t>(i)].push_back(claim->number);
      });
  }
  std::set<std::int64_t> all;
  std::size_t count = 0;
  for (const auto& each : made) {
    all.insert(each.begin(), each.end());
    count += each.size();
  }
  EXPECT_EQ(all.size(), count);
  EXPECT_EQ(newest_claim(folder()), static_cast<std::int64_t>(count));
  for (const auto& entry : fs::directory_iterator(folder() / "claims"))
    EXPECT_FALSE(entry.path().filename().string().starts_with(".")) << entry.path();
}

// Of two processes that judged one claim, only the first may take over, since it is alive then.
TEST_F(ClaimTest, WhatWasJudgedIsTakenOverOnce) {
  ASSERT_TRUE(make_claim(folder(), claim_wish("a"), true, 0));
  EXPECT_FALSE(make_claim(folder(), claim_wish("b"), true, 0));
  fs::create_directories(folder() / "segments");
  std::ofstream(folder() / "segments" / "1.jsonl") << "";
  checkpoint("2.1");
  EXPECT_FALSE(make_claim(folder(), claim_wish("b"), true, 0));
  EXPECT_EQ(newest_claim(folder()), 1);
  EXPECT_TRUE(make_claim(folder(), claim_wish("b"), true, 1));
  EXPECT_FALSE(make_claim(folder(), claim_wish("c"), true, 1));
}

TEST_F(ClaimTest, AKilledMakerLeavesAWholeClaimOrNone) {
  for (int n = 1; results::killed_at(n, [&] { make("", true); }); ++n) {
    if (newest_claim(folder()) > 0) {
      EXPECT_TRUE(read_claim(folder(), newest_claim(folder())));
    }
  }
}

// All attempts on one host share a file as long as no other host may write it.
TEST_F(ClaimTest, ASegmentIsOwnWhereAnotherHostMayStillWrite) {
  EXPECT_EQ(make("", false).segment, 0);
  EXPECT_EQ(make("", false).segment, 0);
  const Claim other = make("another", false);
  EXPECT_EQ(other.segment, 3);
  EXPECT_EQ(make("", false).segment, 4);
}

TEST_F(ClaimTest, WhatEndedElsewhereWritesNoMore) {
  const Claim other = make("another", false);
  EXPECT_EQ(other.segment, 0);
  end_claim(folder(), other.number, RunState::kInterrupted);
  EXPECT_EQ(claim_end(folder(), other.number), RunState::kInterrupted);
  EXPECT_FALSE(claim_end(folder(), 2));
  EXPECT_EQ(newest_claim(folder()), 1);
  EXPECT_EQ(make("", false).segment, 0);
}

TEST_F(ClaimTest, OnceThereAreSegmentsEachAttemptHasOne) {
  fs::create_directories(folder() / "segments");
  std::ofstream(folder() / "segments" / "1.jsonl") << "";
  EXPECT_EQ(make("", false).segment, 2);
}

TEST_F(ClaimTest, SignsOfLifeDiffer) {
  make("", true);
  const std::int64_t before = last_sign(folder(), 1);
  EXPECT_TRUE(before != 0 && last_sign(folder(), 2) == 0);
  give_sign(folder(), 2);
  EXPECT_TRUE(comes_true([&] {
    give_sign(folder(), 1);  // the file system's clock may tick every few milliseconds
    return last_sign(folder(), 1) != before;
  }));
  EXPECT_EQ(newest_claim(folder()), 1);
}

TEST_F(ClaimTest, AttemptsThatGainNothingAreCounted) {
  EXPECT_EQ(fruitless_claims(folder(), "token"), 0);
  for (int i = 1; i <= 3; ++i) {
    make("", true, "token");
    EXPECT_EQ(fruitless_claims(folder(), "token"), i);
  }
  checkpoint("2.3");
  EXPECT_EQ(fruitless_claims(folder(), "token"), 0);
  make("", true, "token");
  EXPECT_EQ(fruitless_claims(folder(), "token"), 1);
  EXPECT_EQ(fruitless_claims(folder(), "another"), 0);
  make("", true, "another");
  EXPECT_EQ(fruitless_claims(folder(), "token"), 0);
}

}  // namespace
}  // namespace runner
