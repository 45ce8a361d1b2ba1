// Sums over an evaluated split, and the metrics computed from them.
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "runner/base/random/split.h"
#include "runner/config/run/run_config.h"
#include "runner/data/sentences/bleu.h"

namespace runner {

// Sums over all predictions.
enum class Sum : std::uint8_t {
  kCount,  // number of predictions
  kLoss,
  kRight,  // number of correct ones
  // ----- Of two classes -----
  kPositive,       // examples of class 1
  kRightPositive,  // correct examples of class 1
  kSums,           // their number
};

class Score {
 public:
  double& operator[](Sum sum) { return sums_[static_cast<std::size_t>(sum)]; }
  double operator[](Sum sum) const { return sums_[static_cast<std::size_t>(sum)]; }
  double mean(Sum sum) const { return (*this)[sum] / (*this)[Sum::kCount]; }

  Score& operator+=(const Score& other);

  // BLEU counts of translations, tokenized and as plain text.
  BleuCounts tokenized, plain;

 private:
  std::array<double, static_cast<std::size_t>(Sum::kSums)> sums_{};
};

// A metric by its name without a split, as in results/events/metric.h: "accuracy".
double metric_value(std::string_view name, const Score& score);

using MetricValues = std::vector<std::pair<std::string, double>>;

// The metrics of a split that a run reports.
MetricValues metrics_of(const RunConfig& config, Split split, const Score& score);

}  // namespace runner
