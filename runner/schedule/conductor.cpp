#include "runner/schedule/conductor.h"

#include <poll.h>
#include <unistd.h>

#include <algorithm>
#include <cmath>
#include <csignal>
#include <iterator>
#include <map>
#include <set>
#include <utility>

#include "lcsm/files/whole_file.h"
#include "results/files/file_lock.h"
#include "runner/process/steady_time.h"
#include "runner/process/stop_counter.h"
#include "runner/schedule/conductor_parts.h"
#include "runner/workspace/end_note.h"

namespace fs = std::filesystem;

namespace runner {
namespace {

using results::RunState;

constexpr double kLongestWait = 1;     // seconds between looks at the disk
constexpr double kTick = 0.25;         // seconds between looks of somebody who watches
constexpr double kControlWait = 0.25;  // at least between looks at what somebody wants
constexpr double kBusyWait = 0.2;      // until a run that another process trains is tried again

std::vector<Job> jobs_of(const std::vector<RunToDo>& runs) {
  std::vector<Job> jobs;
  for (const RunToDo& run : runs) jobs.push_back(run.job);
  return jobs;
}

// The slots come with `share_slots`.
std::vector<Device> devices_of(const SweepRunSettings& settings) {
  if (settings.gpus.empty()) return {{"cpu", 0}};
  std::vector<Device> devices;
  for (const std::string& uuid : settings.gpus) devices.push_back({uuid, 0});
  return devices;
}

class Conductor : public SweepRunControl {
 public:
  Conductor(const std::vector<RunToDo>& runs, const SweepRunSettings& settings,
            const SweepRunWatcher& watcher)
      : runs_(runs),
        settings_(settings),
        watcher_(watcher),
        scheduler_(jobs_of(runs), devices_, settings.policy),
        keeper_(settings.limits),
        control_watch_(settings.workspace) {
    share_slots(settings.jobs);
  }

  SweepRunResult run() {
    const StopCounter counter;
    for (std::size_t i = 0; i < runs_.size(); ++i)
      if (runs_[i].job.queued && !scheduler_.entries()[i].queued) refuse(i);
    while (!scheduler_.over()) {
      hear_signals();
      look_at_disk();
      look_at_control();
      look_at_children();
      while (const auto start = scheduler_.next(steady_seconds())) begin(*start);
      if (watcher_.tick) watcher_.tick(scheduler_, *this);
      wait();
      reap();
    }
    if (watcher_.tick) watcher_.tick(scheduler_, *this);
    SweepRunResult result{{}, heard_ > 0};
    for (const Scheduler::Entry& entry : scheduler_.entries())
      result.states.push_back(entry.state());
    return result;
  }

  int jobs() const override { return jobs_; }
  void set_jobs(int jobs) override {
    jobs_ = jobs;
    share_slots(jobs);
  }
  bool paused() const override { return paused_ || told_full_ || jobs_ == 0; }
  void pause(bool paused) override {
    paused_ = paused;
    if (!paused && jobs_ == 0) set_jobs(settings_.jobs);  // `lcsm jobs 0` was the pause
  }
  // As from another terminal, so that it holds for the next `lcsm run` too.
  void cancel(std::size_t job) override { want(job, cancel_run); }
  void retry(std::size_t job) override { want(job, retry_run); }
  bool stopping() const override { return heard_ > 0; }
  void stop() override { ++asked_; }

 private:
  int stops() const { return StopCounter::count() + asked_; }

  void want(std::size_t job, void (*write)(const fs::path& workspace, const std::string& id)) {
    try {
      write(settings_.workspace, runs_[job].job.id);
    } catch (const std::system_error& error) {
      watcher_.said(std::string("that could not be noted: ") + error.what());
    }
    next_control_ = 0;
    look_at_control();
  }

  void refuse(std::size_t job) {
    watcher_.refused(scheduler_, job);
    std::error_code failed;
    fs::create_directories(folder_of(job), failed);
    note_end(job, too_large(runs_[job].job));
  }

  void begin(const Scheduler::Start& start) {
    const std::size_t job = start.job;
    const RunToDo& run = runs_[job];
    const fs::path folder = folder_of(job);
    if (results::is_being_written(folder / results::kEventFile)) return wait_for_another(job);
    try {
      fs::create_directories(folder);
      results::write_mark(folder, settings_.mark);
      lcsm::write_whole(folder / results::kConfigFile, run.config);
      const auto child =
          children_.emplace(job, start_training(settings_, run, folder, start.device)).first;
      keeper_.started(job, child->second.id(), folder, steady_seconds());
      watcher_.started(scheduler_, job);
    } catch (const std::system_error& error) {
      const bool full = error.code() == std::errc::no_space_on_device;
      end(job, {full ? RunState::kNoRoom : RunState::kNotStarted, error.what()});
    }
  }

  void end(std::size_t job, const Ended& ended) {
    scheduler_.ended(job, ended.state, steady_seconds());
    watcher_.ended(scheduler_, job, ended);
    note_end(job, ended);
    tell_set_aside();
    if (scheduler_.end_running()) signal_all(SIGTERM);
  }

  // What is known of a run that is done stands in its events.
  void note_end(std::size_t job, const Ended& ended) {
    try {
      forget_retry(settings_.workspace, runs_[job].job.id);
      if (ended.state != RunState::kDone)
        write_end_note(folder_of(job), note_of(scheduler_.entries()[job], ended, steady_seconds()));
    } catch (const std::system_error& error) {
      watcher_.said(std::string("how a run ended could not be noted: ") + error.what());
    }
  }

  void tell_set_aside() {
    for (std::size_t i = 0; i < devices_.size(); ++i) {
      if (scheduler_.set_aside(i) == told_aside_[i]) continue;
      told_aside_[i] = !told_aside_[i];
      const std::string where = settings_.gpus.empty() ? "this machine" : settings_.gpus[i];
      watcher_.said(told_aside_[i]
                        ? "run after run failed on " + where + ": nothing new is started there"
                        : where + " is tried again");
    }
  }

  // It has ended by itself, or dies with the `lcsm run` that started it and was killed.
  void wait_for_another(std::size_t job) {
    scheduler_.postpone(job, steady_seconds() + kBusyWait);
    if (told_busy_.insert(job).second)
      watcher_.said(runs_[job].job.id.substr(0, 8) +
                    " is trained by another process: it is waited for");
  }

  void wait() const {
    std::vector<pollfd> handles;
    for (const auto& [job, child] : children_) handles.push_back({child.handle(), POLLIN, 0});
    double seconds = watcher_.tick ? kTick : kLongestWait;
    if (const auto wake = scheduler_.wake(steady_seconds()))
      seconds = std::clamp(*wake - steady_seconds(), 0.0, seconds);
    if (stops() > heard_ || scheduler_.over()) return;
    if (watcher_.handle) handles.push_back({watcher_.handle(), POLLIN, 0});
    poll(handles.data(), handles.size(), static_cast<int>(std::ceil(seconds * 1000)));
  }

  void reap() {
    for (auto child = children_.begin(); child != children_.end();) {
      const std::size_t job = child->first;
      const std::optional<Ended> ended = child->second.ended();
      child = ended ? children_.erase(child) : std::next(child);
      if (ended) end(job, with_its_message(keeper_.ended(job, *ended), folder_of(job)));
    }
  }

  // A second signal that asks would end at once what is about to write a checkpoint.
  void signal_all(int number) {
    for (const auto& [job, child] : children_)
      if (number == SIGKILL || !keeper_.was_asked(job)) child.signal(number);
  }

  void hear_signals() {
    if (stops() == heard_) return;
    heard_ = stops();
    scheduler_.stop();
    watcher_.said(heard_ == 1 ? "stopping: each run writes a checkpoint and ends; again to kill"
                              : "killing what runs");
    signal_all(heard_ == 1 ? SIGTERM : SIGKILL);
  }

  void look_at_disk() {
    const double free = free_bytes(settings_.workspace);
    const bool full = free < kLeastDiskBytes;
    scheduler_.pause(full || paused_);
    if (full != told_full_)
      watcher_.said(full ? "paused: " + std::to_string(static_cast<int>(free / 1e6)) +
                               " MB are free; make room, it goes on by itself"
                         : "there is room again: going on");
    told_full_ = full;
  }

  void share_slots(int jobs) {
    const int devices = static_cast<int>(devices_.size());
    for (int i = 0; i < devices; ++i)
      scheduler_.set_slots(static_cast<std::size_t>(i), jobs / devices + (i < jobs % devices));
  }

  void end_cancelled(std::size_t job) {
    scheduler_.cancel(job);
    const auto child = children_.find(job);
    if (child == children_.end() || keeper_.was_asked(job)) return;
    keeper_.asked(job, {RunState::kInterrupted, "cancelled"}, steady_seconds());
    child->second.signal(SIGTERM);
  }

  void look_at_control() {
    if (steady_seconds() < next_control_) return;
    next_control_ = steady_seconds() + kControlWait;
    if (!control_watch_.changed()) return;
    try {
      const Control before = std::exchange(control_, read_control(settings_.workspace));
      const int jobs = control_.jobs.value_or(settings_.jobs);
      if (control_.jobs != before.jobs && jobs != jobs_)
        watcher_.said(jobs == 0 ? "paused: nothing new starts until `lcsm jobs N`"
                                : "now " + std::to_string(jobs) + " at a time");
      if (control_.jobs != before.jobs) set_jobs(jobs);
      for (std::size_t i = 0; i < runs_.size(); ++i) {
        const std::string& id = runs_[i].job.id;
        if (control_.cancelled.contains(id))
          end_cancelled(i);
        else if (before.cancelled.contains(id) || wants_retry(control_, settings_.workspace, id))
          scheduler_.retry(i);
      }
    } catch (const std::exception& error) {
      watcher_.said(error.what());
    }
  }

  void look_at_children() {
    for (const RunKeeper::Order& order : keeper_.look(steady_seconds())) {
      if (order.signal != 0) children_.at(order.job).signal(order.signal);
      watcher_.said(runs_[order.job].job.id.substr(0, 8) + " " + order.said);
    }
  }

  fs::path folder_of(std::size_t job) const {
    return results::run_folder(settings_.workspace, runs_[job].job.id);
  }

  const std::vector<RunToDo>& runs_;
  const SweepRunSettings& settings_;
  const SweepRunWatcher& watcher_;
  const std::vector<Device> devices_ = devices_of(settings_);
  Scheduler scheduler_;
  std::map<std::size_t, ChildProcess> children_;  // by job
  RunKeeper keeper_;
  ControlWatch control_watch_;
  Control control_;
  double next_control_ = 0;
  int jobs_ = settings_.jobs;
  int heard_ = 0, asked_ = 0;  // stops
  bool paused_ = false, told_full_ = false;
  std::vector<bool> told_aside_ = std::vector<bool>(devices_.size());
  std::set<std::size_t> told_busy_;
};

}  // namespace

SweepRunResult run_sweep(const std::vector<RunToDo>& runs, const SweepRunSettings& settings,
                         const SweepRunWatcher& watcher) {
  return Conductor(runs, settings, watcher).run();
}

}  // namespace runner
