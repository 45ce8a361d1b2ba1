// Whole training steps of several models at one task, in turns: what `lcsm-train bench step` times.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "lcsm/measure/timing.h"
#include "runner/config/run_config.h"
#include "runner/training/task_data.h"
#include "runner/training/trainer.h"

namespace runner {

struct StepTask {
  std::string_view name, what;
  std::vector<std::string> settings;
};

// The tasks that are measured, by name; throws std::invalid_argument for another.
const std::vector<StepTask>& step_tasks();
const StepTask& step_task(const std::string& name);

// "attention" or a code; `settings` over those of the task.
RunConfig step_config(const StepTask& task, const std::string& model,
                      const std::vector<std::string>& settings);

struct StepResult {
  std::string model;
  std::int64_t parameters = 0;
  lcsm::Seconds ours, plain;     // of whole steps
  std::vector<StepTimes> times;  // of ours
  double data_seconds = 0, model_seconds = 0, first_step_seconds = 0;
  double loss_difference = 0;  // of the first step, ours from the plain one's, relative
};

// A step as a plain loop takes it: LibTorch's products, all logits, its cross-entropy, AdamW a
// tensor at a time.
class PlainStep {
 public:
  PlainStep(const RunConfig& config, TaskData& data);
  double operator()(std::int64_t n);  // the loss

 private:
  void update(std::int64_t n);

  const RunConfig& config_;
  TaskData& data_;
  Model model_;
  Course course_;
  std::vector<std::uint32_t> order_;  // of the first epoch, again and again
  std::vector<at::Tensor> weights_, means_, squares_;
};

// Each model's first step is compared with the plain one's (std::runtime_error when they differ by
// more than rounding); then all take turns for `budget` seconds, three rounds at least.
std::vector<StepResult> bench_steps(const StepTask& task, const std::vector<std::string>& models,
                                    const std::vector<std::string>& settings, double budget);

}  // namespace runner
