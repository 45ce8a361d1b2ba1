#include "runner/workspace/claim_hold.h"

#include <gtest/gtest.h>

#include <chrono>
#include <optional>
#include <thread>

#include "runner/base/process/run_end.h"
#include "runner/workspace/claim_watch.h"
#include "tests/runner/run_program.h"

namespace runner {
namespace {

using results::RunState;
using namespace std::chrono_literals;

Claim wish(const std::string& node) {
  Claim claim{.beat = 0.02, .silence = 0.5, .owner = this_owner()};
  if (!node.empty()) claim.owner.node = node;
  return claim;
}

std::optional<RunState> end_of(const std::function<void()>& work) {
  try {
    work();
    return std::nullopt;
  } catch (const RunFailure& failure) {
    return failure.end();
  }
}

}  // namespace

TEST(ClaimHold, GivesSignsOfLifeUntilItEnds) {
  const ScratchFolder scratch;
  make_claim(scratch.path(), wish(""), true, newest_claim(scratch.path()));
  {
    const ClaimHold hold(scratch.path(), 1);
    const std::int64_t first = last_sign(scratch.path(), 1);
    EXPECT_TRUE(comes_true([&] { return last_sign(scratch.path(), 1) != first; }));
  }
  const std::int64_t last = last_sign(scratch.path(), 1);
  std::this_thread::sleep_for(100ms);
  EXPECT_EQ(last_sign(scratch.path(), 1), last);
}

TEST(ClaimHold, NoticesThatTheRunWasTakenOver) {
  const ScratchFolder scratch;
  make_claim(scratch.path(), wish(""), true, newest_claim(scratch.path()));
  const ClaimHold hold(scratch.path(), 1);
  hold.check();
  make_claim(scratch.path(), wish("another"), true, newest_claim(scratch.path()));
  EXPECT_EQ(end_of([&] { hold.check(); }), RunState::kBusy);
  EXPECT_EQ(end_of([&] { ClaimHold(scratch.path(), 1); }), RunState::kBusy);
  EXPECT_EQ(end_of([&] { ClaimHold(scratch.path(), 3); }), RunState::kBusy);
}

TEST(ClaimHold, ByHandItWaitsForASilentHost) {
  const ScratchFolder scratch;
  EXPECT_EQ(claim_by_hand(scratch.path()), 1);
  EXPECT_EQ(claim_by_hand(scratch.path()), 2) << "its own";
  make_claim(scratch.path(), wish("another"), true, newest_claim(scratch.path()));
  EXPECT_EQ(claim_by_hand(scratch.path()), 4);
}

TEST(ClaimHold, ByHandItIsRefusedWhereTheRunIsTrained) {
  const ScratchFolder scratch;
  make_claim(scratch.path(), wish("another"), true, newest_claim(scratch.path()));
  const ClaimHold hold(scratch.path(), 1);
  EXPECT_EQ(end_of([&] { claim_by_hand(scratch.path()); }), RunState::kBusy);
}

}  // namespace runner
