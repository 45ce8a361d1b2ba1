// The schedule of a training run, from its configuration alone: the examples and the learning rate
// of each step, when the model is evaluated, and when training ends. Steps count from 1.
#pragma once

#include <cstdint>
#include <limits>

#include "runner/config/run/run_config.h"

namespace runner {

inline constexpr std::int64_t kEndless = std::numeric_limits<std::int64_t>::max();

// The examples first .. first + count - 1 of an epoch, in the order of the epoch.
struct StepExamples {
  std::int64_t epoch = 0, first = 0, count = 0;
};

class Course {
 public:
  // `examples`: size of the training split.
  Course(const RunConfig& config, std::int64_t examples);

  std::int64_t steps() const { return steps_; }  // the last step; kEndless: only time ends it

  StepExamples examples_of(std::int64_t step) const;  // the last step of an epoch may have fewer
  double rate(std::int64_t step) const;
  bool evaluates_after(std::int64_t step) const;
  std::int64_t evaluations() const;  // in all steps; 0 for an endless course

 private:
  double fall(std::int64_t done) const;
  double share_of_fall(std::int64_t done) const;  // from the warm-up's end to the last step
  std::int64_t steps_for_tokens(std::int64_t tokens, std::int64_t length) const;

  std::int64_t examples_, batch_, epoch_steps_, steps_ = kEndless;
  std::int64_t epochs_, warmup_, eval_steps_, eval_epochs_;
  double peak_, first_, last_;
  enum class Schedule { kConstant, kInverseRoot, kLinear, kCosine, kCosineEpochs } schedule_;
};

}  // namespace runner
