#include "runner/base/process/stop_signals.h"

#include <gtest/gtest.h>
#include <signal.h>

namespace runner {
namespace {

TEST(StopSignals, AreReceived) {
  for (const int signal : {SIGINT, SIGTERM, SIGUSR2, SIGHUP}) {
    const StopSignals listening;
    EXPECT_EQ(StopSignals::received(), 0);
    raise(signal);
    EXPECT_EQ(StopSignals::received(), signal);
  }
}

// A batch system signals all processes of a job, and `lcsm` then asks its runs to stop.
TEST(StopSignals, ARequestAfterThatOfABatchSystemDoesNotEndTheProcess) {
  for (const int signal : {SIGTERM, SIGUSR2}) {
    const StopSignals listening;
    raise(signal);
    raise(kStopRequest);
    EXPECT_EQ(StopSignals::received(), kStopRequest);
  }
}

TEST(StopSignalsDeathTest, TheSecondSignalEndsTheProcess) {
  EXPECT_EXIT(
      {
        const StopSignals listening;
        raise(SIGINT);
        raise(SIGINT);
      },
      testing::KilledBySignal(SIGINT), "");
}

TEST(StopCounterDeathTest, TheSecondSignalEndsTheProcessIfItIsToldTo) {
  {
    const StopCounter counts;
    raise(SIGTERM);
    raise(SIGTERM);
    EXPECT_EQ(StopCounter::count(), 2);
  }
  for (const int signal : {SIGINT, SIGTERM})
    EXPECT_EXIT(
        {
          const StopCounter ends(StopCounter::Second::kEnds);
          raise(signal);
          raise(StopCounter::count() == 1 ? signal : SIGABRT);
        },
        testing::KilledBySignal(signal), "");
}

TEST(StopSignals, RepeatedHangUpsDoNotEndTheProcess) {
  const StopSignals listening;
  raise(SIGHUP);
  raise(SIGHUP);
  EXPECT_EQ(StopSignals::received(), SIGHUP);
}

TEST(StopSignals, AnIgnoredHangUpStaysIgnored) {
  SignalActions nohup;
  nohup.set(SIGHUP, SIG_IGN);
  const StopSignals listening;
  raise(SIGHUP);
  EXPECT_EQ(StopSignals::received(), 0);
}

TEST(StopSignalsDeathTest, TheDestructorRestoresTheHandlers) {
  EXPECT_EXIT(
      {
        { const StopSignals listening; }
        raise(SIGTERM);
      },
      testing::KilledBySignal(SIGTERM), "");
}

}  // namespace
}  // namespace runner
