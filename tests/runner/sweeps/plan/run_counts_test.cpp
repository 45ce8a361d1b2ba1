#include "runner/sweeps/plan/run_counts.h"

#include <gtest/gtest.h>

#include <vector>

#include "runner/sweeps/plan/run_evidence.h"

namespace runner {
namespace {

using enum results::RunState;

struct Counted {
  results::RunState state;
};

}  // namespace

TEST(RunCounts, AreOfSixKindsOfStates) {
  const RunCounts counts(std::vector<Counted>{
      {kDone}, {kDiverged}, {kSignal}, {kTimeout}, {kWaiting}, {kCancelled}, {kRunning}, {kNew}});
  EXPECT_EQ(counts.text(), "1 done, 2 failed, 2 interrupted, 1 cancelled, 1 running, 1 new");
  EXPECT_EQ(counts.summary(), "1 done, 2 failed, 4 left, 1 cancelled of 8");
  EXPECT_EQ(counts.of(kOutOfMemory), 2u) << "it counts as failed";
  EXPECT_EQ(counts.all(), 8u);
}

TEST(RunCounts, NameOnlyWhatThereIs) {
  EXPECT_EQ(RunCounts().text(), "");
  EXPECT_EQ(RunCounts(std::vector<Counted>{{kDone}}).summary(), "1 done, 0 failed, 0 left of 1");
}

TEST(RunEvidence, DecidesTheStateOfARun) {
  EXPECT_EQ(state_of({}), kNew);
  EXPECT_EQ(state_of({.last = kDiverged}), kDiverged);
  EXPECT_EQ(state_of({.last = kDiverged, .running = true}), kRunning);
  EXPECT_EQ(state_of({.last = kDiverged, .cancelled = true}), kCancelled);
  EXPECT_EQ(state_of({.last = kDiverged, .cancelled = true, .again = true}), kCancelled);
  EXPECT_EQ(state_of({.last = kDiverged, .again = true}), kWaiting);
  EXPECT_EQ(state_of({.last = kNew, .again = true}), kNew) << "it never failed";
  EXPECT_EQ(state_of({.last = kDone, .cancelled = true}), kDone);
}

}  // namespace runner
