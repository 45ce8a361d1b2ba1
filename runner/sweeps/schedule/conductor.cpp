#include "runner/sweeps/schedule/conductor.h"

#include <fmt/format.h>
#include <poll.h>
#include <unistd.h>

#include <algorithm>
#include <cmath>
#include <memory>
#include <set>
#include <utility>

#include "lcsm/files/whole_file.h"
#include "runner/base/process/steady_time.h"
#include "runner/base/process/stop_signals.h"
#include "runner/base/text/duration.h"
#include "runner/sweeps/schedule/conductor_parts.h"
#include "runner/workspace/end_note.h"
#include "runner/workspace/guard.h"

namespace fs = std::filesystem;

namespace runner {
namespace {

using results::RunState;

constexpr double kLongestWait = 1;     // seconds between checks of the disk
constexpr double kTick = 0.25;         // seconds between ticks of a watcher
constexpr double kRequestWait = 0.25;  // seconds at least between reads of control/

class Conductor : public SweepRunControl {
 public:
  Conductor(const std::vector<RunToDo>& runs, const SweepRunSettings& settings,
            const SweepRunWatcher& watcher)
      : runs_(runs),
        settings_(settings),
        watcher_(watcher),
        processes_(settings.make(settings.training)),
        device_names_(processes_->devices()),
        scheduler_(jobs_of(runs), devices_of(device_names_), settings.policy),
        claims_(settings.training.workspace, settings.shared),
        requests_watch_(settings.training.workspace),
        guard_(settings.training.workspace) {
    share_slots(settings.jobs);
  }

  SweepRunResult run() {
    const StopCounter counter;
    for (std::size_t i = 0; i < runs_.size(); ++i)
      if (runs_[i].job.queued && !scheduler_.entries()[i].queued) refuse(i);
    while (!scheduler_.over() && !claims_.all_elsewhere(scheduler_)) {
      handle_stops();
      if (claims_.time_is_up(steady_seconds())) scheduler_.stop();
      check_workspace();
      check_disk();
      check_program();
      scheduler_.pause(paused_ || disk_full_ || !missing_.empty());
      read_requests();
      while (const auto start = scheduler_.next(steady_seconds())) begin(*start);
      if (watcher_.tick) watcher_.tick(scheduler_, *this);
      wait();
      poll_processes();
    }
    if (watcher_.tick) watcher_.tick(scheduler_, *this);
    SweepRunResult result{{}, stopping(), lost_};
    result.aside =
        std::all_of(set_aside_.begin(), set_aside_.end(), [](bool each) { return each; });
    for (const Scheduler::Entry& entry : scheduler_.entries()) {
      result.states.push_back(entry.state());
      result.elsewhere += claims_.elsewhere(entry.job.id);
    }
    return result;
  }

  int jobs() const override { return jobs_; }
  void set_jobs(int jobs) override {
    jobs_ = jobs;
    share_slots(jobs);
  }
  bool paused() const override { return paused_ || disk_full_ || !missing_.empty() || jobs_ == 0; }
  void pause(bool paused) override {
    paused_ = paused;
    if (!paused && jobs_ == 0) set_jobs(settings_.jobs);  // paused by `lcsm jobs 0`
  }
  // Writes the request to control/, as from another terminal: the next `lcsm run` finds it there.
  void cancel(std::size_t job) override { request(job, cancel_runs); }
  void retry(std::size_t job) override { request(job, retry_runs); }
  bool stopping() const override { return handled_stops_ > 0; }
  void stop() override { ++stop_calls_; }

 private:
  int stops() const { return StopCounter::count() + stop_calls_; }

  void request(std::size_t job, void (*write)(const fs::path&, const std::vector<std::string>&)) {
    try {
      write(workspace(), {runs_[job].job.id});
    } catch (const std::system_error& error) {
      watcher_.said(std::string("the request could not be written: ") + error.what());
    }
    next_read_ = 0;
    read_requests();
  }

  void refuse(std::size_t job) {
    watcher_.refused(scheduler_, job);
    std::error_code failed;
    fs::create_directory(folder_of(job), failed);
    note_end(job, too_large(runs_[job].job));
  }

  void begin(const Scheduler::Start& start) {
    const std::size_t job = start.job;
    RunToDo run = runs_[job];
    const fs::path folder = folder_of(job);
    try {
      fs::create_directory(folder);
      const RunClaims::Answer answer = claims_.ask(run, steady_seconds());
      if (answer.over) return end_unstarted(job, *answer.over);
      if (answer.claim == 0) return wait_for_another(job, answer.wait);
      run.claim = answer.claim;
      results::write_mark(folder, settings_.mark);
      lcsm::write_whole(folder / results::kConfigFile, run.config);
      processes_->start(job, run, folder, start.device);
      watcher_.started(scheduler_, job);
    } catch (const std::system_error& error) {
      end(job,
          {lcsm::is_full(error.code()) ? RunState::kNoRoom : RunState::kNotStarted, error.what()});
    }
  }

  void end_unstarted(std::size_t job, const Ended& ended) {
    scheduler_.settle(job, ended.state);
    watcher_.ended(scheduler_, job, ended);
  }

  void end(std::size_t job, const Ended& ended) {
    scheduler_.ended(job, ended.state, steady_seconds());
    watcher_.ended(scheduler_, job, ended);
    note_end(job, ended);
    report_set_aside();
    if (scheduler_.end_running()) processes_->stop();
  }

  // A run that is done needs no note: its events say so.
  void note_end(std::size_t job, const Ended& ended) {
    if (!lost_.empty()) return;
    const bool taken_over = settings_.shared && ended.state == RunState::kBusy;
    try {
      forget_retry(workspace(), runs_[job].job.id);
      claims_.ended(runs_[job], ended.state);
      if (ended.state != RunState::kDone && !taken_over)
        write_end_note(folder_of(job), note_of(scheduler_.entries()[job], ended, steady_seconds()));
    } catch (const std::system_error& error) {
      watcher_.said(std::string("how a run ended could not be recorded: ") + error.what());
    }
  }

  void report_set_aside() {
    for (std::size_t i = 0; i < device_names_.size(); ++i) {
      if (scheduler_.set_aside(i) == set_aside_[i]) continue;
      set_aside_[i] = !set_aside_[i];
      watcher_.said(set_aside_[i] ? "several runs in a row failed on " + device_names_[i] +
                                        ": no more runs start there"
                                  : device_names_[i] + " is used again");
    }
  }

  // The other process ends by itself, or dies with the killed `lcsm run` that started it.
  void wait_for_another(std::size_t job, double seconds) {
    scheduler_.postpone(job, steady_seconds() + seconds);
    if (!settings_.shared && reported_busy_.insert(job).second)
      watcher_.said(runs_[job].job.id.substr(0, 8) +
                    " is being trained by another process: waiting for it");
  }

  void wait() const {
    std::vector<pollfd> handles;
    processes_->add_handles(&handles);
    double seconds = watcher_.tick ? kTick : kLongestWait;
    if (const auto wake = scheduler_.wake(steady_seconds()))
      seconds = std::clamp(*wake - steady_seconds(), 0.0, seconds);
    if (stops() > handled_stops_ || scheduler_.over()) return;
    if (watcher_.handle) handles.push_back({watcher_.handle(), POLLIN, 0});
    poll(handles.data(), handles.size(), static_cast<int>(std::ceil(seconds * 1000)));
  }

  void poll_processes() {
    for (const TrainingReport& report : processes_->poll()) {
      const std::string id = runs_[report.job].job.id.substr(0, 8);
      if (!report.text.empty()) watcher_.said(id + " " + report.text);
      if (report.ended) end(report.job, with_message(*report.ended, folder_of(report.job)));
    }
  }

  void handle_stops() {
    if (stops() == handled_stops_) return;
    handled_stops_ = stops();
    scheduler_.stop();
    const bool first = handled_stops_ == 1;
    watcher_.said(first ? "stopping: each run writes a checkpoint; stop again to kill"
                        : "killing all runs");
    first ? processes_->stop() : processes_->kill();
  }

  void check_workspace() {
    if (!lost_.empty()) return;
    lost_ = guard_.trouble();
    if (lost_.empty()) return;
    scheduler_.stop();
    watcher_.said("stopping: " + lost_);
    processes_->stop();
  }

  void check_disk() {
    if (!lost_.empty()) return;
    const double free = free_bytes(workspace());
    const double least = least_disk_bytes(runs_, jobs_);
    const bool full = free < least;
    if (full != disk_full_)
      watcher_.said(
          full ? fmt::format("paused: {} of disk space left, these runs need {}; continues "
                             "when there is more",
                             size_text(free), size_text(least))
               : "continuing: there is enough disk space again");
    disk_full_ = full;
  }

  // A build replaces the program while the sweep runs. What was frozen does not come back.
  void check_program() {
    if (settings_.shared) return;
    const std::string missing = processes_->missing();
    if (missing != missing_)
      watcher_.said(missing.empty() ? "continuing: the training program is there again"
                                    : "paused: " + missing + "; continues when it is there again");
    missing_ = missing;
  }

  void share_slots(int jobs) {
    const int devices = static_cast<int>(device_names_.size());
    for (int i = 0; i < devices; ++i)
      scheduler_.set_slots(static_cast<std::size_t>(i), jobs / devices + (i < jobs % devices));
  }

  void end_cancelled(std::size_t job) {
    scheduler_.cancel(job);
    processes_->cancel(job, {RunState::kInterrupted, "cancelled"});
  }

  void read_requests() {
    if (steady_seconds() < next_read_ || !lost_.empty()) return;
    next_read_ = steady_seconds() + kRequestWait;
    if (!requests_watch_.changed()) return;
    try {
      const Control before = std::exchange(requests_, read_control(workspace()));
      const int jobs = requests_.jobs.value_or(settings_.jobs);
      if (requests_.jobs != before.jobs && jobs != jobs_ && !settings_.shared)
        watcher_.said(jobs == 0 ? "paused: no run starts until `lcsm jobs N`"
                                : "now " + std::to_string(jobs) + " at a time");
      if (requests_.jobs != before.jobs && !settings_.shared) set_jobs(jobs);
      for (std::size_t i = 0; i < runs_.size(); ++i) {
        const std::string& id = runs_[i].job.id;
        if (requests_.cancelled.contains(id))
          end_cancelled(i);
        else if (before.cancelled.contains(id) || wants_retry(requests_, workspace(), id))
          scheduler_.retry(i);
      }
    } catch (const std::exception& error) {
      watcher_.said(error.what());
    }
  }

  const fs::path& workspace() const { return settings_.training.workspace; }

  fs::path folder_of(std::size_t job) const {
    return results::run_folder(workspace(), runs_[job].job.id);
  }

  const std::vector<RunToDo>& runs_;
  const SweepRunSettings& settings_;
  const SweepRunWatcher& watcher_;
  const std::unique_ptr<TrainingProcesses> processes_;
  const std::vector<std::string> device_names_;
  Scheduler scheduler_;
  RunClaims claims_;
  ControlWatch requests_watch_;
  const WorkspaceGuard guard_;
  std::string lost_;
  Control requests_;
  double next_read_ = 0;
  int jobs_ = settings_.jobs;
  int handled_stops_ = 0, stop_calls_ = 0;
  bool paused_ = false, disk_full_ = false;
  std::string missing_;
  std::vector<bool> set_aside_ = std::vector<bool>(device_names_.size());
  std::set<std::size_t> reported_busy_;
};

}  // namespace

SweepRunResult run_sweep(const std::vector<RunToDo>& runs, const SweepRunSettings& settings,
                         const SweepRunWatcher& watcher) {
  return Conductor(runs, settings, watcher).run();
}

}  // namespace runner
