#include "runner/base/text/duration.h"

#include <gtest/gtest.h>

#include <stdexcept>

namespace runner {

TEST(Duration, ParsesNumbersWithUnits) {
  EXPECT_EQ(seconds_of("90"), 90);
  EXPECT_EQ(seconds_of("0.5s"), 0.5);
  EXPECT_EQ(seconds_of("15m"), 900);
  EXPECT_EQ(seconds_of("1.5h"), 5400);
  EXPECT_EQ(seconds_of("2d"), 172800);
}

TEST(Duration, RejectsAnythingElse) {
  for (const char* text : {"", "m", "5x", "-1s", "1e3", "5 m", "5ms", "inf", "nan"})
    EXPECT_THROW(seconds_of(text), std::invalid_argument) << text;
}

TEST(Duration, UsesTheLargestUnitThatDividesItEvenly) {
  EXPECT_EQ(exact_duration(0.2), "0.2 s");
  EXPECT_EQ(exact_duration(90), "90 s");
  EXPECT_EQ(exact_duration(600), "10 min");
  EXPECT_EQ(exact_duration(7200), "2 h");
  EXPECT_EQ(exact_duration(172800), "2 d");
}

TEST(Duration, RoundsTimesAndSizes) {
  EXPECT_EQ(duration_text(0), "0 s");
  EXPECT_EQ(duration_text(89.4), "89 s");
  EXPECT_EQ(duration_text(600), "10 min");
  EXPECT_EQ(duration_text(7200), "2.0 h");
  EXPECT_EQ(duration_text(3 * 86400), "3.0 days");
  EXPECT_EQ(size_text(4.2e8), "420 MB");
  EXPECT_EQ(size_text(1.25e9), "1.2 GB");
}

}  // namespace runner
