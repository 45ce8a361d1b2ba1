#include "runner/train/trainer/score.h"

#include <algorithm>
#include <cmath>
#include <numbers>
#include <stdexcept>
#include <string>

#include "results/events/metric.h"

namespace runner {
namespace {

struct MetricValue {
  std::string_view name;
  double (*value)(const Score& score);
};

constexpr std::array kValues = {
    MetricValue{"loss", [](const Score& score) { return score.mean(Sum::kLoss); }},
    MetricValue{"mse", [](const Score& score) { return score.mean(Sum::kLoss); }},
    MetricValue{"ppl", [](const Score& score) { return std::exp(score.mean(Sum::kLoss)); }},
    MetricValue{"bpc",
                [](const Score& score) { return score.mean(Sum::kLoss) / std::numbers::ln2; }},
    MetricValue{"accuracy", [](const Score& score) { return score.mean(Sum::kRight); }},
};
static_assert(std::all_of(kValues.begin(), kValues.end(), [](const MetricValue& row) {
  return results::find_metric(row.name) != nullptr;
}));

}  // namespace

Score& Score::operator+=(const Score& other) {
  for (std::size_t i = 0; i < sums_.size(); ++i) sums_[i] += other.sums_[i];
  return *this;
}

double metric_value(std::string_view name, const Score& score) {
  for (const MetricValue& row : kValues)
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
