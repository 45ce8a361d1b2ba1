// Estimates a run's steps, FLOPs, memory and disk from its configuration alone. The model is rough;
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
  double memory_bytes = 0;  // of the process, on a CPU
  double gpu_bytes = 0;     // of a GPU's memory, at most: activations may be bfloat16
  double layer_passes = 0;  // layers, times the parts of a batch
  double kept = 0;          // numbers that a step saves for backward, without the logits
  double scan_flops = 0;    // the part of step_flops that a fused scan computes
  double disk_bytes = 0;    // checkpoints, the last and the best
};
// `sizes`: of the run's data, if installed; nullopt: the sizes of the task's default data.
RunCost cost_of(const RunConfig& config, const std::optional<DataSizes>& sizes = {});

// The properties that determine a run's time, as one text: runs with equal texts take equally long.
std::string likeness(const RunConfig& config);

// True if the key is part of likeness(). The database's parameters have the same names.
bool shapes_cost(std::string_view key);

// FLOP/s of one CPU core, if nothing was measured: a third of what matrix products reach on a core
// with AVX-512.
inline constexpr double kGuessedRate = 8e10;

}  // namespace runner
