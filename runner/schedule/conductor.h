// A sweep's runs started and watched until nothing is left to do.
#pragma once

#include <filesystem>
#include <functional>
#include <string>
#include <vector>

#include "results/events/run_folder.h"
#include "runner/process/child_process.h"
#include "runner/schedule/keeper.h"
#include "runner/schedule/scheduler.h"
#include "runner/workspace/control.h"

namespace runner {

inline constexpr double kLeastDiskBytes = 500e6;  // with less free disk nothing new starts

struct RunToDo {
  Job job;
  std::string name;    // "model.code = ssm, seed = 1"
  std::string config;  // TOML, resolved
  int threads = 0;     // that it was given (run.threads); 0: as its share of the cores is
};

struct SweepRunSettings {
  std::filesystem::path workspace, trainer;
  results::SweepMark mark;
  int jobs = 1, threads = 1;      // threads of a run
  std::vector<std::string> gpus;  // UUIDs, among which the jobs are shared out; none: processors
  KeeperLimits limits;
  Policy policy;
};

// What somebody who watches may ask for, from within `tick`.
class SweepRunControl {
 public:
  virtual ~SweepRunControl() = default;
  virtual int jobs() const = 0;
  virtual void set_jobs(int jobs) = 0;       // of what starts from now on; what runs goes on
  virtual bool paused() const = 0;           // also for want of room on the disk
  virtual void pause(bool paused) = 0;       // nothing new starts
  virtual void cancel(std::size_t job) = 0;  // it writes a checkpoint and ends; `retry` goes on
  virtual void retry(std::size_t job) = 0;   // one that has failed or was cancelled
  virtual bool stopping() const = 0;
  virtual void stop() = 0;  // as a Ctrl-C: once each run writes a checkpoint and ends, twice kills
};

// What there is to tell while it runs.
struct SweepRunWatcher {
  std::function<void(const Scheduler&scheduler, std::size_t job)> started, refused;
  std::function<void(const Scheduler& scheduler, std::size_t job, const Ended& ended)> ended;
  std::function<void(const std::string& text)> said;
  // Where it is set, called several times a second, and when the handle has something to read (-1:
  // there is none).
  std::function<void(const Scheduler& scheduler, SweepRunControl& control)> tick = {};
  std::function<int()> handle = {};
};

struct SweepRunResult {
  std::vector<results::RunState> states;  // of the runs, in their order
  bool stopped = false;                   // by a signal
};

// One at a time in a process: SIGINT and SIGTERM are its own meanwhile. The first one lets each run
// write a checkpoint and end, the second kills.
SweepRunResult run_sweep(const std::vector<RunToDo>& runs, const SweepRunSettings& settings,
                         const SweepRunWatcher& watcher);

}  // namespace runner
