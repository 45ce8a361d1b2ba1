#include "runner/front/panel/folders.h"

#include <algorithm>
#include <utility>

#include "lcsm/base/allowance.h"
#include "results/events/event_file.h"
#include "results/events/run_folder.h"
#include "results/files/file_lock.h"
#include "runner/base/process/steady_time.h"
#include "runner/sweeps/plan/run_states.h"
#include "runner/sweeps/plan/running_sweep.h"
#include "runner/workspace/end_note.h"
#include "runner/workspace/run_lock.h"

namespace runner {
namespace {

using results::RunState;

constexpr double kFoldersEvery = 1,
                 kFoldersShare = 300;  // reading may use 1/300 of the time

}  // namespace

PanelFeed open_feed(const SweepChoice& asked, const std::filesystem::path& workspace) {
  const RunningSweep meant = running_or(asked, workspace);
  const SweepFile sweep = chosen_sweep(meant.choice);
  const SweepPlan plan = plan_sweep(sweep, meant.choice.request, known_of(workspace),
                                    {meant.jobs, lcsm::read_allowance().cores()});
  return PanelFeed(sweep, meant.choice.request, plan, std::filesystem::absolute(workspace));
}

PanelFolders::PanelFolders(PanelFeed& feed)
    : feed_(feed),
      jobs_(feed.model().jobs),
      control_watch_(feed.workspace()),
      engines_(feed.workspace()) {}

void PanelFolders::look(double now) {
  if (now < next_) return;
  const double before = steady_seconds();
  PanelModel& model = feed_.model();
  const auto runner = who_runs(feed_.workspace());
  model.runner = runner ? runner->name() : engines_.running(now);
  model.queued.clear();
  for (const WorkspaceRunner& each : who_waits(feed_.workspace()))
    model.queued.push_back(each.name());
  const bool requests = look_at_control(model);
  seen_.resize(model.runs.size());
  for (std::size_t i = 0; i < model.runs.size(); ++i) {
    PanelRun& run = model.runs[i];
    if (run.state == RunState::kDone || run.state == RunState::kRefused) continue;
    const bool changed = has_changed(i);
    if (changed || requests || run.state == RunState::kRunning) judge(run);
  }
  next_ = now + std::max(kFoldersEvery, kFoldersShare * (steady_seconds() - before));
}

// True if users made new requests, which `lcsm run` carries out.
bool PanelFolders::look_at_control(PanelModel& model) {
  bool changed = false;
  try {
    changed = control_watch_.changed();
    if (changed) control_ = read_control(feed_.workspace());
  } catch (const std::invalid_argument&) {
    return false;  // `lcsm run` reports the error
  }
  model.jobs = control_.jobs.value_or(jobs_);
  model.paused = model.jobs == 0;
  return changed;
}

bool PanelFolders::has_changed(std::size_t run) {
  const auto folder = results::run_folder(feed_.workspace(), feed_.model().runs[run].id);
  const Seen now{results::event_bytes(folder), end_note_time(folder)};
  return std::exchange(seen_[run], now) != now;
}

void PanelFolders::judge(PanelRun& run) const {
  const auto folder = results::run_folder(feed_.workspace(), run.id);
  run.why.clear();
  run.state = RunState::kRunning;
  if (results::events_are_being_written(folder)) return;
  RunFeed events(folder);
  events.refresh();
  if (events.progress().attempts > 0) run.progress = events.progress();
  run.state = RunState::kRefused;
  run.why = why_text(run.state, events.trouble());
  if (!events.trouble().empty()) return;
  const RunStatus status = status_in(
      feed_.workspace(), run.id,
      {RunState::kNew, run.progress.last, run.progress.step, run.progress.message}, control_);
  run.state = status.state;
  run.why = why_text(status.state, status.message);
}

}  // namespace runner
