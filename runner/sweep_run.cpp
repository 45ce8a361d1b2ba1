#include "runner/sweep_run.h"

#include <fcntl.h>
#include <poll.h>
#include <sys/statvfs.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <csignal>
#include <fstream>
#include <iterator>
#include <map>

#include "results/file_lock.h"

namespace fs = std::filesystem;

namespace runner {
namespace {

constexpr const char* kLogFile = "stderr.log";
constexpr double kLongestWait = 1;  // seconds between looks at the disk
constexpr double kTick = 0.25;      // seconds between looks of somebody who watches

volatile std::sig_atomic_t stop_signals = 0;
void count_signal(int) { stop_signals = stop_signals + 1; }

class StopCounter {
 public:
  StopCounter() {
    stop_signals = 0;
    struct sigaction counted = {};
    counted.sa_handler = count_signal;
    sigaction(SIGINT, &counted, &before_[0]);
    sigaction(SIGTERM, &counted, &before_[1]);
  }
  ~StopCounter() {
    sigaction(SIGINT, &before_[0], nullptr);
    sigaction(SIGTERM, &before_[1], nullptr);
  }
  StopCounter(const StopCounter&) = delete;
  StopCounter& operator=(const StopCounter&) = delete;

 private:
  struct sigaction before_[2];
};

double now() {
  return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch()).count();
}

double free_bytes(const fs::path& folder) {
  struct statvfs space = {};
  if (statvfs(folder.c_str(), &space) != 0) return INFINITY;
  return static_cast<double>(space.f_bavail) * static_cast<double>(space.f_frsize);
}

std::vector<Job> jobs_of(const std::vector<RunToDo>& runs) {
  std::vector<Job> jobs;
  for (const RunToDo& run : runs) jobs.push_back(run.job);
  return jobs;
}

class Conductor : public SweepRunControl {
 public:
  Conductor(const std::vector<RunToDo>& runs, const SweepRunSettings& settings,
            const SweepRunWatcher& watcher)
      : runs_(runs),
        settings_(settings),
        watcher_(watcher),
        scheduler_(jobs_of(runs), {{"cpu", settings.jobs}}, settings.policy) {}

  SweepRunResult run() {
    const StopCounter counter;
    for (std::size_t i = 0; i < runs_.size(); ++i)
      if (scheduler_.entries()[i].state == Scheduler::State::kRefused)
        watcher_.refused(scheduler_, i);
    while (!scheduler_.over()) {
      hear_signals();
      look_at_disk();
      while (const auto start = scheduler_.next(now())) begin(start->job);
      if (watcher_.tick) watcher_.tick(scheduler_, *this);
      wait();
      reap();
    }
    if (watcher_.tick) watcher_.tick(scheduler_, *this);
    return result();
  }

  int jobs() const override { return jobs_; }
  void set_jobs(int jobs) override {
    jobs_ = jobs;
    scheduler_.set_slots(0, jobs);
  }
  bool paused() const override { return paused_ || told_full_; }
  void pause(bool paused) override { paused_ = paused; }
  void cancel(std::size_t job) override {
    if (scheduler_.entries()[job].cancelled) return;  // a second signal would end it at once
    scheduler_.cancel(job);
    if (const auto child = children_.find(job); child != children_.end())
      child->second.signal(SIGTERM);
  }
  void retry(std::size_t job) override { scheduler_.retry(job); }
  bool stopping() const override { return heard_ > 0; }
  void stop() override { ++asked_; }

 private:
  // The cores that the runs had at the start, for those that stand beside each other now.
  int threads() const { return std::max(1, settings_.jobs * settings_.threads / jobs_); }
  int stops() const { return stop_signals + asked_; }

  void begin(std::size_t job) {
    const RunToDo& run = runs_[job];
    const fs::path folder = results::run_folder(settings_.workspace, run.job.id);
    try {
      fs::create_directories(folder);
      results::write_mark(folder, settings_.mark);
      const fs::path config = folder / results::kConfigFile;
      results::write_durably(config, run.config);
      children_.emplace(job, ChildProcess({settings_.trainer.string(), "run", config.string(),
                                           "--workspace", settings_.workspace.string(), "--set",
                                           "run.threads=" + std::to_string(threads())},
                                          folder / kLogFile));
      watcher_.started(scheduler_, job);
    } catch (const std::system_error& error) {
      const bool full = error.code() == std::errc::no_space_on_device;
      end(job, {full ? Outcome::kNoRoom : Outcome::kLost, error.what()});
    }
  }

  void end(std::size_t job, const Ended& ended) {
    scheduler_.ended(job, ended.outcome, now());
    watcher_.ended(scheduler_, job, ended);
    if (scheduler_.set_aside(0) && !told_aside_) {
      told_aside_ = true;
      watcher_.said("run after run failed on this machine: nothing new is started");
    }
    if (scheduler_.end_running()) signal_all(SIGTERM);
  }

  void wait() const {
    std::vector<pollfd> handles;
    for (const auto& [job, child] : children_) handles.push_back({child.handle(), POLLIN, 0});
    double seconds = watcher_.tick ? kTick : kLongestWait;
    if (const auto wake = scheduler_.wake(now())) seconds = std::clamp(*wake - now(), 0.0, seconds);
    if (stops() > heard_ || scheduler_.over()) return;
    if (watcher_.handle) handles.push_back({watcher_.handle(), POLLIN, 0});
    poll(handles.data(), handles.size(), static_cast<int>(std::ceil(seconds * 1000)));
  }

  void reap() {
    for (auto child = children_.begin(); child != children_.end();) {
      const std::size_t job = child->first;
      const std::optional<Ended> ended = child->second.ended();
      child = ended ? children_.erase(child) : std::next(child);
      if (ended) end(job, *ended);
    }
  }

  void signal_all(int number) {
    for (const auto& [job, child] : children_) child.signal(number);
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
    const bool full = free < settings_.least_disk_bytes;
    scheduler_.pause(full || paused_);
    if (full != told_full_)
      watcher_.said(full ? "paused: " + std::to_string(static_cast<int>(free / 1e6)) +
                               " MB are free; make room, it goes on by itself"
                         : "there is room again: going on");
    told_full_ = full;
  }

  SweepRunResult result() const {
    SweepRunResult sum;
    for (const Scheduler::Entry& entry : scheduler_.entries()) {
      const bool ended = entry.state == Scheduler::State::kEnded;
      const bool done = ended && entry.outcome == Outcome::kDone;
      sum.done += done;
      sum.failed += (ended && !done) || entry.state == Scheduler::State::kRefused;
      sum.left += !ended && entry.state != Scheduler::State::kRefused;
    }
    sum.stopped = heard_ > 0;
    return sum;
  }

  const std::vector<RunToDo>& runs_;
  const SweepRunSettings& settings_;
  const SweepRunWatcher& watcher_;
  Scheduler scheduler_;
  std::map<std::size_t, ChildProcess> children_;  // by job
  int jobs_ = settings_.jobs;
  int heard_ = 0, asked_ = 0;  // stops
  bool paused_ = false;
  bool told_full_ = false, told_aside_ = false;
};

}  // namespace

SweepRunResult run_sweep(const std::vector<RunToDo>& runs, const SweepRunSettings& settings,
                         const SweepRunWatcher& watcher) {
  return Conductor(runs, settings, watcher).run();
}

WorkspaceRunLock::WorkspaceRunLock(const fs::path& workspace, const std::string& sweep) {
  const fs::path path = workspace / ".run.lock";
  file_ = results::OpenFile(path, O_RDWR | O_CREAT | O_CLOEXEC);
  if (!file_.is_open()) throw std::system_error(errno, std::generic_category(), path.string());
  if (!results::lock_for_writing(file_.handle())) {
    std::ifstream text(path);
    throw std::runtime_error(
        "this workspace is run by " +
        std::string{std::istreambuf_iterator<char>(text), std::istreambuf_iterator<char>()} +
        ": wait for it, stop it, or take another workspace");
  }
  if (ftruncate(file_.handle(), 0) == 0)
    results::write_all(file_.handle(), "process " + std::to_string(getpid()) + " (" + sweep + ")");
}

}  // namespace runner
