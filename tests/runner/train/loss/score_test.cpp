#include "runner/train/loss/score.h"

#include <gtest/gtest.h>

#include <cmath>
#include <numbers>

#include "lcsm/base/words.h"
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
    for (const std::string& metric : lcsm::words_of(task.reports)) {
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
  EXPECT_EQ(metric_value("bpc", score_of(4, 8 * std::numbers::ln2, 0)), 2);
  EXPECT_EQ(metric_value("mse", score_of(4, 36, 0)), 9);
}

// Two of the sentences have no 4-gram in common with a reference.
TEST(Score, HasTheBleuOfTokensAndThatOfPlainTexts) {
  Score score;
  score.tokenized = {{6, 5, 4, 0}, {6, 5, 4, 3}, 6, 6};
  score.plain = {{4, 3, 2, 0}, {5, 4, 3, 2}, 5, 6};
  EXPECT_EQ(metric_value("bleu", score), 0) << "not smoothed";
  EXPECT_EQ(metric_value("sacrebleu", score), bleu(score.plain));
  EXPECT_GT(bleu(score.plain), 0);
  Score other;
  other.tokenized = {{5, 4, 3, 2}, {5, 4, 3, 2}, 5, 5};
  other.plain = {{6, 5, 4, 3}, {6, 5, 4, 3}, 6, 6};
  score += other;
  EXPECT_EQ(metric_value("bleu", score),
            bleu({{11, 9, 7, 2}, {11, 9, 7, 5}, 11, 11}, Smoothing::kNone));
  EXPECT_EQ(metric_value("sacrebleu", score), bleu({{10, 8, 6, 3}, {11, 9, 7, 5}, 11, 12}));
}

TEST(Score, OfBytesIsInBitsToo) {
  const auto reported = [](const std::string& task, const std::string& setting) {
    const RunConfig config = parse_config("", "", {"task.name=" + task, "model.code=ssm", setting},
                                          [](const std::string&) {});
    std::string names;
    for (const auto& [name, value] : metrics_of(config, Split::kTest, score_of(1, 1, 1))) {
      names += name + " ";
      EXPECT_EQ(value, metric_value(name.substr(5), score_of(1, 1, 1)));
    }
    return names;
  };
  EXPECT_EQ(reported("enwik8", "seed=1"), "test.bpc test.ppl test.loss ");
  EXPECT_EQ(reported("text", "task.tokens=bytes"), "test.ppl test.loss test.bpc ");
  EXPECT_EQ(reported("text", "task.tokens=words"), "test.ppl test.loss ");
  EXPECT_EQ(reported("classify", "task.tokens=bytes"), "test.accuracy test.loss ");
  EXPECT_THROW(reported("enwik8", "task.tokens=words"), std::invalid_argument);
}

Score of_classes(double count, double right, double positive, double right_positive) {
  Score score = score_of(count, 0, right);
  score[Sum::kPositive] = positive;
  score[Sum::kRightPositive] = right_positive;
  return score;
}

// labels 1011010110, predictions 1001110100; scipy.stats.pearsonr gives the correlation.
TEST(Score, HasTheF1AndTheCorrelationOfAWorkedExample) {
  const Score score = of_classes(10, 7, 6, 4);
  EXPECT_DOUBLE_EQ(metric_value("f1", score), 8.0 / 11);
  EXPECT_DOUBLE_EQ(metric_value("mcc", score), 0.40824829046386296);
}

// The mean of two batches' F1 would be (0 + 2/3) / 2.
TEST(Score, TakesF1OfAllBatchesTogether) {
  Score score = of_classes(3, 2, 1, 0);
  EXPECT_EQ(metric_value("f1", score), 0);
  score += of_classes(3, 2, 2, 1);
  EXPECT_DOUBLE_EQ(metric_value("f1", score), 0.5);
}

// As scikit-learn's f1_score and matthews_corrcoef.
TEST(Score, IsZeroWhereF1AndTheCorrelationAreNotDefined) {
  const Score nothing_positive = of_classes(5, 5, 0, 0), all_positive = of_classes(5, 5, 5, 5),
              predicts_none = of_classes(5, 3, 2, 0), none_right = of_classes(4, 0, 2, 0);
  EXPECT_EQ(metric_value("f1", nothing_positive), 0);
  EXPECT_EQ(metric_value("mcc", nothing_positive), 0);
  EXPECT_EQ(metric_value("f1", all_positive), 1);
  EXPECT_EQ(metric_value("mcc", all_positive), 0);
  EXPECT_EQ(metric_value("f1", predicts_none), 0);
  EXPECT_EQ(metric_value("mcc", predicts_none), 0);
  EXPECT_EQ(metric_value("f1", none_right), 0);
  EXPECT_EQ(metric_value("mcc", none_right), -1);
}

}  // namespace
}  // namespace runner
