#include "runner/front/panel/sweep_panel.h"

#include <fmt/format.h>

#include <cmath>
#include <unordered_map>

#include "runner/base/process/exit_code.h"
#include "runner/base/process/stderr_text.h"
#include "runner/base/process/steady_time.h"
#include "runner/base/text/counts.h"
#include "runner/base/text/duration.h"
#include "runner/sweeps/schedule/conductor_parts.h"

namespace runner {
namespace {

using results::RunState;

std::string why_of(const Scheduler::Entry& entry, double now, const PanelRun& run) {
  const RunState state = entry.state();
  if (state == RunState::kTooLarge) return "refused: " + too_large(entry.job).why;
  if (entry.queued && entry.failures > 0)
    return fmt::format("waiting: {}, retry {}", name_of(entry.last),
                       entry.not_before > now
                           ? "in " + duration_text(std::ceil(entry.not_before - now))
                           : "when memory is free");
  const bool known_before = entry.starts == 0 && state == entry.job.last && state == run.state;
  return known_before ? run.why : why_text(state, run.progress.message);
}

}  // namespace

void follow(const Scheduler& scheduler, const std::vector<std::size_t>& run_of, double now,
            PanelModel* model) {
  for (std::size_t job = 0; job < run_of.size(); ++job) {
    const Scheduler::Entry& entry = scheduler.entries()[job];
    PanelRun& run = model->runs[run_of[job]];
    run.why = why_of(entry, now, run);
    run.state = entry.state();
    run.seconds = entry.queued || entry.running ? entry.job.seconds : 0;
  }
}

void carry_out(const PanelAsk& ask, const std::map<std::size_t, std::size_t>& job_of,
               PanelModel* model, SweepRunControl& control) {
  using What = PanelAsk::What;
  const auto say = [&](const std::string& text) { model->message = text; };
  const auto job = job_of.find(ask.run);
  const bool of_run = ask.what == What::kCancel || ask.what == What::kRetry;
  if (of_run && job == job_of.end())
    return say("it was done before this `lcsm run`: nothing to retry or cancel");
  switch (ask.what) {
    case What::kJobs:
      control.set_jobs(ask.jobs);
      return say(counted(ask.jobs, "run") + " at a time from now on");
    case What::kPause:
      control.pause(!model->paused);
      return say(model->paused ? "continuing" : "paused: running runs continue, no run starts");
    case What::kCancel:
      control.cancel(job->second);
      return say(fmt::format("{} cancelled: r retries it", model->runs[ask.run].id.substr(0, 8)));
    case What::kRetry:
      control.retry(job->second);
      return say(fmt::format("{} queued for a retry", model->runs[ask.run].id.substr(0, 8)));
    case What::kStop:
    case What::kDetach:
    case What::kLeave:
      control.stop();
  }
}

SweepPanel::SweepPanel(PanelFeed& feed, const std::vector<RunToDo>& runs, int descriptor,
                       Detach detach)
    : feed_(feed), detach_(std::move(detach)), panel_(std::in_place, feed, descriptor, false) {
  std::unordered_map<std::string, std::size_t> index;
  for (std::size_t i = 0; i < feed.model().runs.size(); ++i)
    index.emplace(feed.model().runs[i].id, i);
  for (std::size_t job = 0; job < runs.size(); ++job) {
    run_of_.push_back(index.at(runs[job].job.id));
    job_of_.emplace(run_of_.back(), job);
  }
}

void SweepPanel::say(const std::string& text) {
  if (panel_)
    feed_.model().message = text;
  else
    print_safe(text + "\n");
}

void SweepPanel::detach() {
  try {
    detach_([this] { panel_.reset(); });
  } catch (const Failure& failure) {
    say(failure.what());
  }
}

SweepRunWatcher SweepPanel::watcher(SweepRunWatcher lines) {
  lines.tick = [this](const Scheduler& scheduler, SweepRunControl& control) {
    turn(scheduler, control);
  };
  lines.said = [this](const std::string& text) { say(text); };
  lines.handle = [this] { return panel_ ? panel_->handle() : -1; };
  return lines;
}

void SweepPanel::turn(const Scheduler& scheduler, SweepRunControl& control) {
  if (!panel_) return;
  PanelModel& model = feed_.model();
  const auto look = [&] {
    follow(scheduler, run_of_, steady_seconds(), &model);
    model.jobs = control.jobs();
    model.paused = control.paused();
    model.stopping = control.stopping();
  };
  look();
  const std::vector<PanelAsk> asked = panel_->turn(steady_seconds());
  for (const PanelAsk& ask : asked) {
    if (ask.what == PanelAsk::What::kDetach)
      detach();
    else
      carry_out(ask, job_of_, &model, control);
    if (!panel_) return;
    look();
  }
  if (!asked.empty()) panel_->draw(steady_seconds());
}

}  // namespace runner
