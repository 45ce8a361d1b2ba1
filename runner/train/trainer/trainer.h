// The computation of a training: steps, evaluations, and their state. Uses neither files nor the
// clock.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "lcsm/cuda/driver/read_back.h"
#include "runner/config/run/course.h"
#include "runner/config/run/run_config.h"
#include "runner/data/batches/prefetch.h"
#include "runner/data/batches/task_data.h"
#include "runner/models/skeletons/model.h"
#include "runner/train/device/step_graphs.h"
#include "runner/train/loss/heads.h"
#include "runner/train/trainer/checkpoint.h"
#include "runner/train/trainer/optimizer.h"

namespace runner {

// The time of each part of a step, in seconds.
struct StepTimes {
  double data = 0, forward = 0, head = 0, backward = 0, update = 0;  // head: with its gradients
};

struct StepFacts {
  double loss = 0;  // mean over scored positions
  double gradient_norm = 0;
  double rate = 0;
  std::int64_t tokens = 0;
  StepTimes times;
};

class Trainer {
 public:
  // All random numbers are functions of `seed` and the step: there is no generator state to save.
  Trainer(const RunConfig& config, TaskData& data, const ComputeDevice& device = {});

  const Course& course() const { return course_; }
  const Model& model() const { return model_; }

  // Step n, after steps 1 .. n-1. Throws RunFailure (diverged), with nothing changed, if the loss
  // or the gradient is NaN or infinite, or the loss exceeds kTooLarge times the loss of guessing.
  StepFacts step(std::int64_t n);
  static constexpr double kTooLarge = 10;

  Score evaluate(Split split) { return evaluate(split, evaluated(split)); }

  // The task's metrics on a split, and the accuracy of examples that are reported separately.
  MetricValues metrics(Split split);

  // The weights in the host's memory.
  NamedTensors weights() const;
  NamedTensors optimizer_state() const;
  void load_weights(const NamedTensors& weights);  // std::invalid_argument
  void load_optimizer(const NamedTensors& state, std::int64_t steps);

 private:
  // Called by the thread that reads ahead, if there is one.
  const std::vector<std::uint32_t>& order_of(std::int64_t epoch);
  std::vector<Batch> parts_of(std::int64_t step);

  at::Tensor hidden(const Batch& batch, Dropout& dropout, Carried* carried) const;
  std::vector<std::uint32_t> evaluated(Split split) const;
  Score evaluate(Split split, const std::vector<std::uint32_t>& examples);
  at::Tensor learn(const std::vector<Batch>& parts, Dropout& dropout, StepTimes* times);
  void step_here(std::int64_t n, const std::vector<Batch>& parts, StepFacts* facts);
  void step_on_gpu(std::int64_t n, const std::vector<Batch>& parts, StepFacts* facts);
  void queue_step(const StepInputs& inputs);
  void check(std::int64_t n, const StepFacts& facts) const;

  const RunConfig& config_;
  TaskData& data_;
  const ComputeDevice device_;
  Model model_;
  Optimizer optimizer_;
  Course course_;
  const HeadRow& head_;
  Precision precision_;
  // Only on a GPU: loss and norm of the last step, and the buffer they are read back through.
  at::Tensor numbers_;
  std::optional<lcsm::ReadBack> back_;
  std::optional<StepGraphs> graphs_;
  // With consecutive examples: the states after the last step and after the current one.
  const bool consecutive_;
  Carried carried_, next_;
  std::int64_t order_epoch_ = -1;
  std::vector<std::uint32_t> order_;
  Prefetch prefetch_;  // declared last, since its thread uses the other members
};

}  // namespace runner
