// Times whole training steps of several models on one task, in turns.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "lcsm/measure/timing.h"
#include "runner/config/run/run_config.h"
#include "runner/data/batches/task_data.h"
#include "runner/train/bench/step_profile.h"
#include "runner/train/trainer/trainer.h"

namespace runner {

struct StepTask {
  std::string_view name, what;
  std::vector<std::string> settings;
  OpenTask* open;
};

// step_tasks() lists all tasks; step_task() finds one, and throws std::invalid_argument if the name
// is unknown.
const std::vector<StepTask>& step_tasks();
const StepTask& step_task(const std::string& name);

// `model`: "attention", a code or a named system. `settings` override the task's.
RunConfig step_config(const StepTask& task, const std::string& model,
                      const std::vector<std::string>& settings);

struct StepResult {
  std::string model;
  std::int64_t parameters = 0;
  lcsm::Seconds ours, plain;     // of whole steps; plain is empty if it was skipped
  std::vector<StepTimes> times;  // of ours
  double data_seconds = 0, model_seconds = 0, first_step_seconds = 0;
  double loss_difference = 0;  // relative, of the first step
  // Peak memory of our tensors: weights, gradients, optimizer state and steps. Not counted on a
  // GPU.
  std::int64_t peak_bytes = 0;
  // Of further steps, if requested.
  std::vector<ProfileRow> profile = {};
  double profiled_seconds = 0;
};

struct StepBench {
  double budget = 5;       // seconds
  bool alone = false;      // without the plain loop
  int profiled_steps = 0;  // after the turns
  ComputeDevice device = {};
};

// A training step as a plain loop computes it: LibTorch's products, all logits, LibTorch's
// cross-entropy, AdamW one tensor at a time; a named system's block by its definition.
class PlainStep {
 public:
  PlainStep(const RunConfig& config, TaskData& data, const ComputeDevice& device = {});
  double operator()(std::int64_t n);  // the loss

 private:
  void update(std::int64_t n);

  const RunConfig& config_;
  TaskData& data_;
  const ComputeDevice device_;
  Model model_;
  Course course_;
  std::vector<std::uint32_t> order_;  // of the first epoch, which repeats
  std::vector<at::Tensor> weights_, means_, squares_;
};

// Compares each model's first loss with the plain loop's (std::runtime_error if they differ by more
// than rounding); then all take turns, at least three rounds.
std::vector<StepResult> bench_steps(const StepTask& task, const std::vector<std::string>& models,
                                    const std::vector<std::string>& settings, const StepBench& how);

}  // namespace runner
