// What a run costs, from its configuration alone: steps, FLOPs, memory, disk. A rough model;
// measured runs are better (run_history.h).
#pragma once

#include <optional>
#include <string>

#include "runner/config/run/run_config.h"
#include "runner/data/own/data_sizes.h"

namespace runner {

struct RunCost {
  double steps = 0;         // at most; 0 = only optim.minutes ends it
  double minutes = 0;       // optim.minutes, 0 = none
  double step_flops = 0;    // training
  double flops = 0;         // of the whole run, with its evaluations
  double memory_bytes = 0;  // of the process
  double disk_bytes = 0;    // checkpoints, the last and the best
};
// `sizes` of its data, where it is there; else of the task's own data, all as long as task.length.
RunCost cost_of(const RunConfig& config, const std::optional<DataSizes>& sizes = {});

// What the time of a run depends on, as one text: runs of equal texts take equally long.
std::string likeness(const RunConfig& config);

// Whether a key is part of it. The database's parameters have the same names.
bool shapes_cost(std::string_view key);

// FLOP/s of one CPU core, if nothing was measured: a fifth of what matrix products reach on a core
// with AVX-512.
inline constexpr double kGuessedRate = 3e10;

}  // namespace runner
