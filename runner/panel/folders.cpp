#include "runner/panel/folders.h"

#include <sys/stat.h>

#include <algorithm>

#include "lcsm/base/allowance.h"
#include "results/events/run_folder.h"
#include "results/files/file_lock.h"
#include "runner/plan/running_sweep.h"
#include "runner/process/exit_code.h"
#include "runner/process/steady_time.h"
#include "runner/tasks/data_search.h"
#include "runner/workspace/run_lock.h"

namespace runner {
namespace {

constexpr const char* kCancelled = "cancelled";
constexpr double kEvery = 1, kShare = 300;  // of the time, what looking may take

std::string_view name_of(results::Ending ending) {
  return results::kEndings[static_cast<std::size_t>(ending)].name;
}

void set_end(PanelRun& run) {
  const auto& ending = run.progress.ending;
  run.why.clear();
  if (!ending || *ending == results::Ending::kInterrupted) {
    run.state = PanelState::kInterrupted;
    if (!ending) run.why = "lost: it was killed, or its machine went down";
  } else if (*ending == results::Ending::kDone) {
    run.state = PanelState::kDone;
  } else {
    run.state = PanelState::kFailed;
    run.why = std::string(name_of(*ending));
    if (!run.progress.message.empty()) run.why += ": " + run.progress.message;
  }
}

}  // namespace

PanelFeed open_feed(const SweepChoice& asked, const std::filesystem::path& workspace) {
  const RunningSweep meant = running_or(asked, workspace);
  const SweepFile sweep = chosen_sweep(meant.choice);
  try {
    const SweepPlan plan = plan_sweep(sweep, meant.choice.request, known_of(workspace), meant.jobs,
                                      lcsm::read_allowance().cores());
    return PanelFeed(sweep, meant.choice.request, plan, std::filesystem::absolute(workspace));
  } catch (const DataMissing& missing) {
    throw Failure(ExitCode::kMissing, missing.what());
  }
}

PanelFolders::PanelFolders(PanelFeed& feed)
    : feed_(feed), jobs_(feed.model().jobs), control_watch_(feed.workspace()) {}

void PanelFolders::look(double now) {
  if (now < next_) return;
  const double before = steady_seconds();
  PanelModel& model = feed_.model();
  const auto runner = who_runs(feed_.workspace());
  model.runner = runner ? runner->name() : "";
  sizes_.resize(model.runs.size(), -1);
  for (std::size_t i = 0; i < model.runs.size(); ++i) {
    PanelRun& run = model.runs[i];
    if (run.state == PanelState::kDone) continue;
    struct stat facts = {};
    const auto events = results::run_folder(feed_.workspace(), run.id) / results::kEventFile;
    if (stat(events.c_str(), &facts) != 0) continue;
    if (run.state != PanelState::kRunning && sizes_[i] == facts.st_size) continue;
    sizes_[i] = facts.st_size;
    judge(run);
  }
  look_at_control(model);
  next_ = now + std::max(kEvery, kShare * (steady_seconds() - before));
}

// What somebody wants meanwhile; `lcsm run` does it.
void PanelFolders::look_at_control(PanelModel& model) {
  try {
    if (control_watch_.changed()) control_ = read_control(feed_.workspace());
  } catch (const std::invalid_argument&) {
    return;  // `lcsm run` tells what is wrong with it
  }
  model.jobs = control_.jobs.value_or(jobs_);
  model.paused = model.jobs == 0;
  for (PanelRun& run : model.runs) {
    if (run.state == PanelState::kRunning || run.state == PanelState::kDone) continue;
    const bool cancelled = control_.cancelled.contains(run.id);
    if (cancelled)
      run.why = kCancelled;
    else if (run.why == kCancelled)
      run.why.clear();
  }
}

void PanelFolders::judge(PanelRun& run) {
  const auto folder = results::run_folder(feed_.workspace(), run.id);
  if (results::is_being_written(folder / results::kEventFile)) {
    run.state = PanelState::kRunning;
    run.why.clear();
    return;
  }
  RunFeed events(folder);
  events.refresh();
  if (events.progress().attempts == 0) return;  // not begun
  run.progress = events.progress();
  set_end(run);
}

}  // namespace runner
