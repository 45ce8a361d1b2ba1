// Starts the runs of a sweep and watches them until nothing is left to do.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "results/events/run_folder.h"
#include "runner/sweeps/schedule/run_claims.h"
#include "runner/sweeps/schedule/scheduler.h"
#include "runner/sweeps/schedule/training_processes.h"
#include "runner/workspace/control.h"

namespace runner {

struct SweepRunSettings {
  results::SweepMark mark;
  int jobs = 1;  // runs at a time
  Policy policy;
  TrainingSettings training;
  std::unique_ptr<TrainingProcesses> (*make)(const TrainingSettings&) = make_training_processes;
  std::optional<SharedWork> shared = {};  // nullopt: the runs are not shared
};

// Requests that `tick` may make.
class SweepRunControl {
 public:
  virtual ~SweepRunControl() = default;
  virtual int jobs() const = 0;
  virtual void set_jobs(int jobs) = 0;       // for later starts; running runs continue
  virtual bool paused() const = 0;           // also because the disk is full
  virtual void pause(bool paused) = 0;       // no run starts
  virtual void cancel(std::size_t job) = 0;  // writes a checkpoint and ends; `retry` resumes it
  virtual void retry(std::size_t job) = 0;   // a run that has failed or was cancelled
  virtual bool stopping() const = 0;
  virtual void
  stop() = 0;  // like Ctrl-C: the first lets each run write a checkpoint, the second kills
};

// Callbacks during the run.
struct SweepRunWatcher {
  std::function<void(const Scheduler&scheduler, std::size_t job)> started, refused;
  std::function<void(const Scheduler& scheduler, std::size_t job, const Ended& ended)> ended;
  std::function<void(const std::string& text)> said;
  // If set, it is called several times a second, and when `handle` is readable (-1: no handle).
  std::function<void(const Scheduler& scheduler, SweepRunControl& control)> tick = {};
  std::function<int()> handle = {};
};

struct SweepRunResult {
  std::vector<results::RunState> states = {};  // of the runs, in their order
  bool stopped = false;                        // by a signal
  std::string lost = {};                       // "W/runs was removed": runs were interrupted
  bool aside = false;                          // run after run failed on every device
  std::size_t elsewhere = 0;                   // runs that other processes train
};

// A process may have at most one at a time, since it handles SIGINT and SIGTERM: the first makes
// each run write a checkpoint and end, the second kills them.
SweepRunResult run_sweep(const std::vector<RunToDo>& runs, const SweepRunSettings& settings,
                         const SweepRunWatcher& watcher);

}  // namespace runner
