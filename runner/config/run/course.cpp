#include "runner/config/run/course.h"

#include <algorithm>
#include <cmath>
#include <numbers>
#include <numeric>

#include "runner/config/keys/eval_keys.h"
#include "runner/config/keys/optim_keys.h"
#include "runner/config/keys/task_keys.h"

namespace runner {
namespace {

double half_cosine(double from, double to, double share) {
  return to + (from - to) * (1 + std::cos(std::numbers::pi * share)) / 2;
}

bool is_multiple(std::int64_t number, std::int64_t of) { return of > 0 && number % of == 0; }

}  // namespace

Course::Course(const RunConfig& config, std::int64_t examples)
    : examples_(examples),
      batch_(config.integer("optim.batch"_key)),
      epoch_steps_((examples + batch_ - 1) / batch_),
      epochs_(config.integer("optim.epochs"_key)),
      warmup_(config.integer("optim.warmup"_key)),
      eval_steps_(config.integer("eval.steps"_key)),
      eval_epochs_(config.integer("eval.epochs"_key)),
      peak_(config.real("optim.lr"_key)),
      first_(config.real("optim.lr_first"_key)),
      last_(config.real("optim.lr_last"_key)) {
  const std::string& name = config.text("optim.schedule"_key);
  schedule_ = name == "constant"       ? Schedule::kConstant
              : name == "inverse-sqrt" ? Schedule::kInverseRoot
              : name == "linear"       ? Schedule::kLinear
              : name == "cosine"       ? Schedule::kCosine
                                       : Schedule::kCosineEpochs;
  if (const auto steps = config.integer("optim.steps"_key); steps > 0) steps_ = steps;
  if (epochs_ > 0) steps_ = std::min(steps_, epochs_ * epoch_steps_);
  if (const auto tokens = config.integer("optim.tokens"_key); tokens > 0)
    steps_ = std::min(steps_, steps_for_tokens(tokens, config.integer("task.length"_key)));
}

// The first step after which at least this many tokens were seen.
std::int64_t Course::steps_for_tokens(std::int64_t tokens, std::int64_t length) const {
  const std::int64_t wanted = (tokens + length - 1) / length;  // examples
  return wanted / examples_ * epoch_steps_ + (wanted % examples_ + batch_ - 1) / batch_;
}

StepExamples Course::examples_of(std::int64_t step) const {
  const std::int64_t first = (step - 1) % epoch_steps_ * batch_;
  return {(step - 1) / epoch_steps_, first, std::min(batch_, examples_ - first)};
}

// The first step uses the rate for 0 steps done, as in fairseq.
double Course::rate(std::int64_t step) const {
  const std::int64_t done = step - 1;
  if (done >= warmup_) return fall(done);
  return first_ + (peak_ - first_) * static_cast<double>(done) / static_cast<double>(warmup_);
}

double Course::share_of_fall(std::int64_t done) const {
  return static_cast<double>(done - warmup_) /
         static_cast<double>(std::max<std::int64_t>(1, steps_ - warmup_));
}

double Course::fall(std::int64_t done) const {
  switch (schedule_) {
    case Schedule::kConstant:
      return peak_;
    case Schedule::kInverseRoot:
      return peak_ * std::sqrt(static_cast<double>(warmup_) / static_cast<double>(done));
    case Schedule::kLinear:
      return peak_ + (last_ - peak_) * share_of_fall(done);
    case Schedule::kCosine:
      return half_cosine(peak_, last_, share_of_fall(done));
    case Schedule::kCosineEpochs:
      return half_cosine(peak_, last_,
                         static_cast<double>(done / epoch_steps_) / static_cast<double>(epochs_));
  }
  return peak_;
}

bool Course::evaluates_after(std::int64_t step) const {
  return step == steps_ || is_multiple(step, eval_steps_) ||
         is_multiple(step, eval_epochs_ * epoch_steps_);
}

std::int64_t Course::evaluations() const {
  if (steps_ == kEndless) return 0;
  const std::int64_t a = eval_steps_, b = eval_epochs_ * epoch_steps_;
  const auto multiples = [this](std::int64_t of) { return of > 0 ? steps_ / of : 0; };
  const bool last = !is_multiple(steps_, a) && !is_multiple(steps_, b);
  // floor(x / (m n)) = floor(floor(x / m) / n): no product that could overflow.
  const std::int64_t both = a > 0 && b > 0 ? steps_ / (a / std::gcd(a, b)) / b : 0;
  return multiples(a) + multiples(b) - both + last;
}

}  // namespace runner
