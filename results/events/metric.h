// The metrics, a row each: what a number is called in event files, and which way is better.
#pragma once

#include <array>
#include <string_view>

namespace results {

struct Metric {
  std::string_view name;  // without its split: "loss" of "valid.loss"
  bool lower_is_better;
  std::string_view help;
};

inline constexpr std::array kMetrics = {
    Metric{"loss", true, "the mean of what training minimises"},
    Metric{"ppl", true, "perplexity: e to the mean cross-entropy of a token"},
    Metric{"bpc", true, "bits a character"},
    Metric{"bpb", true, "bits a byte"},
    Metric{"mse", true, "the mean squared error"},
    Metric{"error", true, "the share of wrong predictions"},
    Metric{"accuracy", false, "the share of right predictions"},
    Metric{"seconds", true, "time taken"},
    Metric{"tokens_per_second", false, "tokens of a training step by the time that it took"},
    Metric{"peak_mib", true, "the most memory that the process held"},
    Metric{"training_mib", true, "the same, less what it held before it had a model"},
};

// Of a name with or without its split; null: no row.
constexpr const Metric* find_metric(std::string_view name) {
  name.remove_prefix(name.rfind('.') + 1);
  for (const Metric& metric : kMetrics)
    if (metric.name == name) return &metric;
  return nullptr;
}

// False of what has no row: parameters, rates, published scores.
constexpr bool lower_is_better(std::string_view name) {
  const Metric* metric = find_metric(name);
  return metric != nullptr && metric->lower_is_better;
}

}  // namespace results
