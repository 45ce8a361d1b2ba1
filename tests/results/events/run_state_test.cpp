#include "results/events/run_state.h"

#include <gtest/gtest.h>

#include "results/events/event_text.h"
#include "results/tables/table.h"

namespace results {

TEST(RunStates, AreFoundByTheirNames) {
  for (const RunStateRow& row : kRunStates) EXPECT_EQ(named_state(row.name), row.state) << row.name;
  EXPECT_FALSE(named_state("out-of-memory"));
  EXPECT_FALSE(named_state(""));
}

TEST(RunStates, AreStoredUnderNamesThatStay) {
  using enum RunState;
  for (const RunState state : {kRunning, kDone, kInterrupted, kDiverged, kOutOfMemory, kFailed})
    EXPECT_EQ(stored_state(stored_name(state)), state);
  EXPECT_EQ(stored_name(kOutOfMemory), "out-of-memory");
  EXPECT_EQ(stored_state(stored_name(kInternal)), kFailed);
  EXPECT_EQ(stored_state(stored_name(kNoRoom)), kInterrupted);
  EXPECT_FALSE(stored_state(""));
}

// A run that has failed or is done is over; any other may still become done.
TEST(RunStates, CountAsOneOfSix) {
  for (const RunStateRow& row : kRunStates)
    EXPECT_EQ(counted_as(counted_as(row.state)), counted_as(row.state)) << row.name;
  EXPECT_TRUE(is_over(RunState::kDiverged) && has_failed(RunState::kDiverged));
  EXPECT_TRUE(is_over(RunState::kDone) && !has_failed(RunState::kDone));
  EXPECT_FALSE(is_over(RunState::kWaiting) || is_over(RunState::kCancelled));
}

TEST(RunStates, HaveSignsThatTablesExplain) {
  for (const RunStateRow& row : kRunStates) {
    const auto explains = [&](const MarkRow& mark) { return mark.sign == row.sign; };
    EXPECT_TRUE(row.sign.empty() || std::any_of(kMarks.begin(), kMarks.end(), explains))
        << row.name;
  }
}

TEST(RunStates, ThatNoEventFileHasAreNotWritten) {
  EXPECT_THROW(text_of({2, 1, 1, EndLine{RunState::kSignal, 0, ""}}), std::logic_error);
  EXPECT_THROW(parse_event(R"({"seq":2,"attempt":1,"time":1,"event":"end","status":"running",)"
                           R"("step":0,"message":"")"),
               LineError);
}

}  // namespace results
