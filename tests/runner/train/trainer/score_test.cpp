#include "runner/train/trainer/score.h"

#include <gtest/gtest.h>

#include <cmath>

#include "results/events/metric.h"
#include "runner/config/keys/config_keys.h"
#include "runner/config/keys/task_rows.h"

namespace runner {
namespace {

Score score_of(double count, double loss, double right) {
  Score score;
  score[Sum::kCount] = count;
  score[Sum::kLoss] = loss;
  score[Sum::kRight] = right;
  return score;
}

TEST(Score, GivesEveryMetricOfEveryTask) {
  for (const TaskRow& task : kTaskRows)
    for (const std::string& metric : words_of(task.reports)) {
      EXPECT_NE(results::find_metric(metric), nullptr) << task.name << " " << metric;
      EXPECT_NO_THROW(metric_value(metric, score_of(1, 1, 1))) << task.name << " " << metric;
    }
  EXPECT_THROW(metric_value("beauty", {}), std::logic_error);
}

TEST(Score, AddsUpAndIsAMean) {
  Score score = score_of(3, 2, 1);
  score += score_of(5, 6, 3);
  EXPECT_EQ(metric_value("loss", score), 1);
  EXPECT_EQ(metric_value("ppl", score), std::exp(1.0));
  EXPECT_EQ(metric_value("accuracy", score), 0.5);
}

}  // namespace
}  // namespace runner
