#include "runner/train/loss/score.h"

#include <algorithm>
#include <cmath>
#include <numbers>
#include <stdexcept>
#include <string>

#include "results/events/metric.h"

namespace runner {
namespace {

// Examples predicted as class 1: the correct ones of class 1 and the wrong ones of class 0.
double predicted_positive(const Score& score) {
  const double negative = score[Sum::kCount] - score[Sum::kPositive],
               right_negative = score[Sum::kRight] - score[Sum::kRightPositive];
  return score[Sum::kRightPositive] + negative - right_negative;
}

// 2 TP / (2 TP + FP + FN); as in scikit-learn, 0 if no example is or is predicted to be of class 1.
double f1(const Score& score) {
  const double both = predicted_positive(score) + score[Sum::kPositive];
  return both > 0 ? 2 * score[Sum::kRightPositive] / both : 0;
}

// The correlation of two columns of 0 and 1; as in scikit-learn, 0 if one of them is constant.
double mcc(const Score& score) {
  const double n = score[Sum::kCount], positive = score[Sum::kPositive],
               predicted = predicted_positive(score);
  const double spread = positive * (n - positive) * predicted * (n - predicted);
  if (spread <= 0) return 0;
  return (n * score[Sum::kRightPositive] - positive * predicted) / std::sqrt(spread);
}

struct MetricRow {
  std::string_view name;
  double (*value)(const Score& score);
};

constexpr std::array kValues = {
    MetricRow{"loss", [](const Score& score) { return score.mean(Sum::kLoss); }},
    MetricRow{"mse", [](const Score& score) { return score.mean(Sum::kLoss); }},
    MetricRow{"ppl", [](const Score& score) { return std::exp(score.mean(Sum::kLoss)); }},
    MetricRow{"bpc", [](const Score& score) { return score.mean(Sum::kLoss) / std::numbers::ln2; }},
    MetricRow{"accuracy", [](const Score& score) { return score.mean(Sum::kRight); }},
    MetricRow{"f1", f1},
    MetricRow{"mcc", mcc},
    MetricRow{"bleu", [](const Score& score) { return bleu(score.tokenized, Smoothing::kNone); }},
    MetricRow{"sacrebleu", [](const Score& score) { return bleu(score.plain); }},
};
static_assert(std::all_of(kValues.begin(), kValues.end(), [](const MetricRow& row) {
  return results::find_metric(row.name) != nullptr;
}));

}  // namespace

Score& Score::operator+=(const Score& other) {
  for (std::size_t i = 0; i < sums_.size(); ++i) sums_[i] += other.sums_[i];
  tokenized += other.tokenized;
  plain += other.plain;
  return *this;
}

double metric_value(std::string_view name, const Score& score) {
  for (const MetricRow& row : kValues)
    if (row.name == name) return row.value(score);
  throw std::logic_error("no row of values for metric " + std::string(name));
}

MetricValues metrics_of(const RunConfig& config, Split split, const Score& score) {
  MetricValues values;
  for (const std::string& name : config.reports())
    values.emplace_back(std::string(to_string(split)) + "." + name, metric_value(name, score));
  return values;
}

}  // namespace runner
