#include "runner/training/score.h"

#include <algorithm>
#include <cmath>
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

}  // namespace runner
