// Evaluations of a run's checkpoints, made after training on other data, such as another length or
// text. Each is a file in `evaluations/` of the run's folder.
#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "results/events/event.h"

namespace results {

inline constexpr std::string_view kEvaluationsFolder = "evaluations";

struct Evaluation {
  std::string settings;   // overrides, by key: "task.length=512 task.pairs=8"; may be empty
  std::int64_t step = 0;  // of the checkpoint
  double time = 0;        // seconds since 1970
  std::vector<std::pair<std::string, double>> metrics;  // "test.accuracy"
  Values environment;
  bool operator==(const Evaluation&) const = default;
};

// Replaces an evaluation with the same settings, step and split. Atomic.
void write_evaluation(const std::filesystem::path& folder, const Evaluation& evaluation);

// Sorted by settings and step. Throws std::invalid_argument naming a file that is not an
// evaluation, std::system_error for one that cannot be read.
std::vector<Evaluation> read_evaluations(const std::filesystem::path& folder);

// Copies the evaluations that are missing or older in `to`.
void unite_evaluations(const std::filesystem::path& from, const std::filesystem::path& to);

}  // namespace results
