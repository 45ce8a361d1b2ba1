// The metrics, one row each: its name in event files, and which way is better.
#pragma once

#include <array>
#include <limits>
#include <string_view>

#include "lcsm/base/row_names.h"

namespace results {

struct Metric {
  std::string_view name;  // without its split: "loss" of "valid.loss"
  bool lower_is_better;
  std::string_view help;
  double lowest = 0, highest = std::numeric_limits<double>::infinity();
  bool share = false;  // of examples: their number bounds how exact it is
};

inline constexpr std::array kMetrics = {
    Metric{"loss", true, "the mean of what training minimises"},
    Metric{"ppl", true, "perplexity: e to the mean cross-entropy per token", 1},
    Metric{"bpc", true, "bits per character: the mean cross-entropy / ln 2"},
    Metric{"mse", true, "the mean squared error"},
    Metric{"accuracy", false, "the share of correct predictions", 0, 1, true},
    Metric{"accuracy_mismatched", false, "the accuracy on MNLI's genres that training has none of",
           0, 1, true},
    Metric{"f1", false, "the harmonic mean of precision and recall of the positive class", 0, 1},
    Metric{"mcc", false, "Matthews' correlation of predictions and labels", -1, 1},
    Metric{"bleu", false, "BLEU of tokenized text, compounds split at hyphens", 0, 100},
    Metric{"sacrebleu", false, "BLEU of the text itself, as sacreBLEU computes it", 0, 100},
    Metric{"seconds", true, "time taken"},
    Metric{"tokens_per_second", false, "training tokens per second"},
    Metric{"peak_mib", true, "peak memory of the process"},
    Metric{"training_mib", true, "the same, minus what it held before it had a model"},
};

// Finds a metric by its name with or without a split; null: no row.
constexpr const Metric* find_metric(std::string_view name) {
  name.remove_prefix(name.rfind('.') + 1);
  return lcsm::row_named(kMetrics, name);
}

// False for names without a row: parameters, rates, published scores.
constexpr bool lower_is_better(std::string_view name) {
  const Metric* metric = find_metric(name);
  return metric != nullptr && metric->lower_is_better;
}

// True for a metric of a split that is evaluated: "valid.ppl".
constexpr bool is_of_a_split(std::string_view name) {
  return name.starts_with("valid.") || name.starts_with("test.");
}

}  // namespace results
