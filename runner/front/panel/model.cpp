#include "runner/front/panel/model.h"

#include <algorithm>
#include <cmath>

#include "results/events/metric.h"
#include "runner/config/keys/roles.h"
#include "runner/sweeps/plan/sweep_plan.h"

namespace runner {

using results::RunState;

namespace {

double share_of(const PanelRun& run) {
  if (is_over(run.state)) return 1;
  if (run.steps <= 0) return 0;
  return std::clamp(static_cast<double>(step_of(run)) / run.steps, 0.0, 1.0);
}

double steps_left(const PanelRun& run) {
  return std::max(0.0, run.steps - static_cast<double>(step_of(run)));
}

bool has_speed(const PanelRun& run) { return run.progress.steps_per_second > 0 && run.steps > 0; }

}  // namespace

std::string why_text(RunState state, const std::string& message) {
  if (state == RunState::kLost) return "lost: it was killed, or its host went down";
  const bool none = state == RunState::kNew || state == RunState::kRunning ||
                    state == RunState::kDone || state == RunState::kInterrupted;
  const bool bare = message.empty() || state == RunState::kCancelled || state == RunState::kWaiting;
  return none ? "" : std::string(name_of(state)) + (bare ? "" : ": " + message);
}

double PanelModel::share_done() const {
  double sum = 0;
  for (const PanelRun& run : runs) sum += share_of(run);
  return runs.empty() ? 0 : sum / static_cast<double>(runs.size());
}

std::optional<PanelBest> PanelModel::best() const {
  std::optional<PanelBest> best;
  const bool lower = results::lower_is_better(metric.substr(0, metric.find('@')));
  const auto task = static_cast<std::size_t>(std::ranges::find(axes, kRoles.task) - axes.begin());
  for (std::size_t i = 0; i < runs.size(); ++i) {
    const double value = runs[i].value;
    if (std::isnan(value)) continue;
    if (best && task < axes.size() && runs[i].at[task] != runs[best->run].at[task]) return {};
    if (!best || (lower ? value < best->value : value > best->value)) best = {i, value};
  }
  return best;
}

std::int64_t step_of(const PanelRun& run) {
  return row_of(run.state).starts ? run.progress.saved : run.progress.step;
}

double seconds_left(const PanelRun& run, double pace) {
  const bool running = run.state == RunState::kRunning;
  if (!running && !row_of(run.state).starts) return 0;
  if (running && has_speed(run)) return steps_left(run) / run.progress.steps_per_second;
  const double planned = run.steps - static_cast<double>(run.planned_at);
  const double left = planned > 0 ? std::clamp(steps_left(run) / planned, 0.0, 1.0) : 1;
  return run.seconds * left * pace;
}

double pace_of(const PanelModel& model) {
  double took = 0, planned = 0;
  for (const PanelRun& run : model.runs) {
    const double steps = run.steps - static_cast<double>(run.planned_at);
    if (!has_speed(run) || run.seconds <= 0 || steps <= 0) continue;
    took += steps / run.progress.steps_per_second;
    planned += run.seconds;
  }
  return planned > 0 ? took / planned : 1;
}

double eta_of(const PanelModel& model) {
  const double pace = pace_of(model);
  std::vector<double> left;
  for (const PanelRun& run : model.runs)
    if (const double seconds = seconds_left(run, pace); seconds > 0) left.push_back(seconds);
  return time_with_slots(std::move(left), std::max(1, model.jobs));
}

}  // namespace runner
