#include "results/events/metric.h"

#include <gtest/gtest.h>

#include <string>

namespace results {

TEST(Metric, IsKnownWithAndWithoutItsSplit) {
  for (const Metric& metric : kMetrics) {
    EXPECT_EQ(find_metric(metric.name), &metric);
    EXPECT_EQ(find_metric("valid." + std::string(metric.name)), &metric);
    EXPECT_FALSE(metric.help.empty()) << metric.name;
  }
  EXPECT_EQ(find_metric("params"), nullptr);
  EXPECT_EQ(find_metric(""), nullptr);
}

TEST(Metric, SaysWhichWayIsBetter) {
  for (const char* name : {"valid.loss", "test.ppl", "train.loss", "time.seconds", "mse"})
    EXPECT_TRUE(lower_is_better(name)) << name;
  for (const char* name : {"test.accuracy", "params", "train.gradient_norm", "sacrebleu"})
    EXPECT_FALSE(lower_is_better(name)) << name;
}

// The end of a name alone says nothing.
TEST(Metric, IsItsWholeName) {
  EXPECT_FALSE(lower_is_better("test.lossless"));
  EXPECT_FALSE(lower_is_better("test.gloss"));
}

}  // namespace results
