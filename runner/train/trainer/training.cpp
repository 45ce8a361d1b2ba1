#include "runner/train/trainer/training.h"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <cmath>
#include <optional>
#include <set>

#include "lcsm/base/source_diff.h"
#include "lcsm/files/whole_file.h"
#include "results/events/checkpoints.h"
#include "results/events/event_reader.h"
#include "results/events/metric.h"
#include "results/events/run_folder.h"
#include "results/tables/roles.h"
#include "runner/base/process/stderr_text.h"
#include "runner/base/process/steady_time.h"
#include "runner/base/process/stop_signals.h"
#include "runner/config/keys/eval_keys.h"
#include "runner/config/keys/model_keys.h"
#include "runner/config/keys/optim_keys.h"
#include "runner/config/keys/run_keys.h"
#include "runner/config/run/run_id.h"
#include "runner/data/tasks/set_task.h"
#include "runner/models/families/family.h"
#include "runner/train/device/device.h"
#include "runner/train/trainer/checkpoint.h"
#include "runner/train/trainer/environment.h"
#include "runner/train/trainer/progress.h"
#include "runner/train/trainer/run_record.h"
#include "runner/train/trainer/shorter_run.h"
#include "runner/train/trainer/start_weights.h"
#include "runner/train/trainer/trainer.h"
#include "runner/train/trainer/training_failure.h"

namespace runner {
namespace {

using results::RunState;

class Training {
 public:
  Training(const RunConfig& config, RunRecord& record, TaskData& data, const ComputeDevice& device)
      : config_(config),
        record_(record),
        trainer_(config, data, device),
        checkpoints_(record.folder(), record.segment()),
        progress_(isatty(STDERR_FILENO) == 1) {}

  // Resumes from the newest valid checkpoint, otherwise from a shorter run's if there is one.
  void begin(const TaskData& data, const std::filesystem::path& workspace,
             const ComputeDevice& device);

  RunState run();
  void end(RunState state, const std::string& message);

 private:
  bool finished() const {
    return !state_.stopped.empty() || state_.step >= trainer_.course().steps();
  }
  double seconds() const { return seconds_before_ + (steady_seconds() - start_); }

  void take_step();
  void tell_training(const StepFacts& facts);
  bool evaluate();
  bool is_due() const;
  void write_checkpoint();
  void remove_checkpoints(bool done);
  void report_test();
  void show_progress(const StepFacts& facts);

  const double own_mebibytes_ = peak_mebibytes();  // of program and data, before the model
  const RunConfig& config_;
  RunRecord& record_;
  Trainer trainer_;
  Checkpoints checkpoints_;
  Progress progress_;
  TrainState state_;
  std::string last_metric_;
  double tokens_ = 0, told_tokens_ = 0, step_seconds_ = 0;  // the last: since the last line
  std::int64_t checkpoint_step_ = 0;
  std::set<std::int64_t> written_;  // steps of the checkpoints that are valid for this history
  double seconds_before_ = 0, checkpoint_seconds_ = 0;
  double start_ = steady_seconds();
};

void Training::begin(const TaskData& data, const std::filesystem::path& workspace,
                     const ComputeDevice& device) {
  const auto complain = [&](const std::string& text) { record_.say("warning", text); };
  std::set<std::int64_t> kept = checkpoints_.steps();
  auto found = checkpoints_.newest(complain, [&](const Checkpoint& at) -> std::string {
    const bool lost = at.lines > record_.lines() && at.segment == record_.segment();
    if (!lost) return record_.counts(at.lines, at.segment) ? "" : kDiscardedHistory;
    kept.erase(at.state.step);
    return fmt::format("expects {} lines of the events, which have {}", at.lines, record_.lines());
  });
  // Lines that take the numbers of the lost ones would make a checkpoint valid again.
  record_.check();
  checkpoints_.keep_only(kept);
  if (!found)
    found = start_of_shorter_run(config_, data.examples(Split::kTrain), workspace, &record_,
                                 &checkpoints_);
  if (found) {
    if (const std::string why = why_other_data(config_, workspace, record_.folder()); !why.empty())
      throw RunFailure(RunState::kDataMissing, why);
    trainer_.load_weights(found->model);
    trainer_.load_optimizer(found->optimizer, found->state.step);
    state_ = found->state;
    checkpoint_step_ = state_.step;
    written_ = {state_.step};
    if (state_.best) written_.insert(state_.best->step);
    seconds_before_ = checkpoint_seconds_ = found->seconds;
  }
  std::string start;
  if (!found && !config_.text("model.from"_key).empty())
    start = start_from_run(config_, workspace, &trainer_);
  results::Values environment = environment_of_process(device.name);
  environment.merge(facts_of_data(config_, workspace));
  if (reads_set(config_))
    for (const Split split : {Split::kValid, Split::kTest})
      environment[std::string(results::kExamplesFact) + std::string(to_string(split))] =
          data.examples(split);
  record_.begin_attempt(config_, environment, state_.step, found ? found->lines : 0,
                        lcsm::kSourceDiff);
  if (!device.note.empty()) record_.say("info", device.note);
  if (found) {
    record_.say("info", "resumed after step " + std::to_string(state_.step));
  } else {
    const ModelPlan& plan = trainer_.model().plan();
    const auto params = static_cast<double>(count_of(plan).total());
    if (!start.empty()) record_.say("info", start);
    record_.append(results::MetricsLine{0, {{"params", params}, {"state", state_of(plan)}}});
  }
}

RunState Training::run() {
  while (!finished()) {
    if (const int signal = StopSignals::received()) {
      if (state_.step > checkpoint_step_) write_checkpoint();
      end(RunState::kInterrupted,
          signal == kStopRequest ? "asked to stop" : "signal " + std::to_string(signal));
      return RunState::kInterrupted;
    }
    take_step();
  }
  report_test();
  end(RunState::kDone, state_.stopped);
  return RunState::kDone;
}

void Training::take_step() {
  const double before = seconds();
  const StepFacts facts = trainer_.step(state_.step + 1);
  step_seconds_ += seconds() - before;
  ++state_.step;
  tokens_ += static_cast<double>(facts.tokens);
  state_.untold.loss += facts.loss;
  ++state_.untold.steps;
  const double minutes = config_.real("optim.minutes"_key);
  if (minutes > 0 && seconds() >= 60 * minutes) state_.stopped = "optim.minutes have passed";
  const bool looks = trainer_.course().evaluates_after(state_.step) || finished();
  if (looks || state_.step % config_.integer("run.log_steps"_key) == 0) tell_training(facts);
  const bool best = looks && evaluate();
  if (best || finished() || is_due()) write_checkpoint();
  show_progress(facts);
}

void Training::tell_training(const StepFacts& facts) {
  const auto steps = static_cast<double>(state_.untold.steps);
  record_.append(
      results::MetricsLine{state_.step,
                           {{"train.loss", state_.untold.loss / steps},
                            {"train.lr", facts.rate},
                            {"train.gradient_norm", facts.gradient_norm},
                            {"time.seconds", seconds()},
                            {"time.tokens_per_second", (tokens_ - told_tokens_) / step_seconds_}}});
  state_.untold = {};
  told_tokens_ = tokens_;
  step_seconds_ = 0;
}

// Returns true if the model is the best so far.
bool Training::evaluate() {
  const Score score = trainer_.evaluate(Split::kValid);
  const MetricValues values = metrics_of(config_, Split::kValid, score);
  MetricValues told = values;
  told.emplace_back("host.training_mib", peak_mebibytes() - own_mebibytes_);
  record_.append(results::MetricsLine{state_.step, told});
  const auto& by = config_.text("eval.best"_key);
  const auto value = std::find_if(values.begin(), values.end(), [&](const auto& each) {
                       return each.first == "valid." + by;
                     })->second;
  if (!std::isfinite(score[Sum::kLoss]))
    throw RunFailure(RunState::kDiverged, "the loss on the validation split is NaN or infinite");
  last_metric_ = fmt::format("{} {:.4g}", values.front().first, values.front().second);
  const bool lower = results::lower_is_better(by);
  const auto better = [lower](double a, double b) { return lower ? a < b : a > b; };
  if (state_.best && !better(value, state_.best->value)) return false;
  state_.best = {state_.step, value};
  const double stop = config_.real("eval.stop"_key);
  if (stop > 0 && better(value, stop))
    state_.stopped = fmt::format("valid.{} {:.6g} is better than eval.stop = {}", by, value, stop);
  return true;
}

bool Training::is_due() const {
  const std::int64_t steps = config_.integer("run.checkpoint_steps"_key);
  const double minutes = config_.real("run.checkpoint_minutes"_key);
  return (steps > 0 && state_.step % steps == 0) ||
         (minutes > 0 && seconds() - checkpoint_seconds_ >= 60 * minutes);
}

// The events first: a checkpoint never expects lines that are not on the disk.
void Training::write_checkpoint() {
  record_.sync();
  const std::int64_t bytes = checkpoints_.write(
      {state_, trainer_.weights(), trainer_.optimizer_state(), record_.lines(), seconds()});
  const bool best = state_.best && state_.best->step == state_.step;
  const std::string name = results::checkpoint_name({state_.step, record_.segment()});
  record_.append(results::ArtefactLine{best ? "best" : "checkpoint", name, state_.step, bytes, ""});
  checkpoint_step_ = state_.step;
  checkpoint_seconds_ = seconds();
  written_.insert(state_.step);
  remove_checkpoints(/*done=*/false);
}

// Removes checkpoints that are no longer needed, and checkpoints of lost or damaged steps.
void Training::remove_checkpoints(bool done) {
  std::set<std::int64_t> best;
  if (state_.best) best.insert(state_.best->step);
  written_ = results::kept_checkpoints(written_, best, done);
  record_.check();
  checkpoints_.keep_only(written_);
}

// Evaluates the weights of the best step, and reports the metrics at that step.
void Training::report_test() {
  const std::int64_t best = state_.best->step;
  if (best != state_.step) trainer_.load_weights(checkpoints_.read(best).model);
  const MetricValues values = trainer_.metrics(Split::kTest);
  record_.append(results::MetricsLine{best, values});
  record_.append(results::MetricsLine{state_.step,
                                      {{"time.seconds", seconds()},
                                       {"host.peak_mib", peak_mebibytes()},
                                       {"host.training_mib", peak_mebibytes() - own_mebibytes_}}});
  remove_checkpoints(/*done=*/true);
  progress_.clear();
  fmt::print("run {}\nstep {}\nvalid.{} {}\n", record_.id(), best, config_.text("eval.best"_key),
             state_.best->value);
  for (const auto& [name, value] : values) fmt::print("{} {}\n", name, value);
}

void Training::end(RunState state, const std::string& message) {
  progress_.clear();
  record_.check();
  record_.append(results::EndLine{state, state_.step, message});
  record_.sync();
}

void Training::show_progress(const StepFacts& facts) {
  const std::int64_t steps = trainer_.course().steps();
  progress_.show({state_.step, steps == kEndless ? 0 : steps, facts.loss, last_metric_, tokens_});
}

// Ends an attempt that has not begun; everything that earlier attempts wrote still counts.
RunState end_before_begin(const RunConfig& config, RunRecord& record) {
  const TrainingFailure failure = current_failure();
  if (failure.end == RunState::kBusy) throw;
  const std::set<std::int64_t> steps = Checkpoints(record.folder(), record.segment()).steps();
  const std::int64_t step = steps.empty() ? 0 : *steps.rbegin();
  if (!record.in_attempt())
    record.begin_attempt(config, environment_of_process(), step, record.lines(), lcsm::kSourceDiff);
  record.say("error", failure.message);
  record.append(results::EndLine{failure.end, step, failure.message});
  record.sync();
  return failure.end;
}

RunState train(const RunConfig& config, const std::filesystem::path& workspace, TaskData& data,
               const ComputeDevice& device, RunRecord& record) {
  std::optional<Training> training;
  try {
    training.emplace(config, record, data, device);
    training->begin(data, workspace, device);
  } catch (...) {
    return end_before_begin(config, record);
  }
  try {
    const RunState end = training->run();
    if (end == RunState::kDone) offer_as_start(workspace, config);
    return end;
  } catch (...) {
    const TrainingFailure failure = current_failure();
    if (failure.end == RunState::kBusy) throw;
    record.say("error", failure.message);
    training->end(failure.end, failure.message);
    return failure.end;
  }
}

}  // namespace

RunState train_run(const RunConfig& config, const std::filesystem::path& workspace,
                   std::int64_t claim) {
  const StopSignals listening;
  const auto data = open_task(config, workspace);
  const std::filesystem::path folder = results::run_folder(workspace, run_id(config));
  if (results::is_done(folder)) {
    const std::string why = why_other_data(config, workspace, folder);
    print_stderr("lcsm-train run: run " + run_id(config) + " is already done" +
                 (why.empty() ? "" : "; " + why) + "\n");
    return RunState::kDone;
  }
  const ComputeDevice device = open_device(config, plan_model(config, data->vocab()), workspace);
  lcsm::create_folder(folder);
  const ClaimHold hold(folder, claim > 0 ? claim : claim_by_hand(folder));
  RunRecord record(workspace, config, &hold);
  const RunState end = train(config, workspace, *data, device, record);
  if (claim == 0) end_by_hand(folder, hold.number(), end);
  return end;
}

}  // namespace runner
