// A sweep's runs started, watched and counted until nothing is left to do.
#pragma once

#include <filesystem>
#include <functional>
#include <string>
#include <vector>

#include "results/durable_file.h"
#include "results/run_folder.h"
#include "runner/child_process.h"
#include "runner/control.h"
#include "runner/run_keeper.h"
#include "runner/scheduler.h"

namespace runner {

struct RunToDo {
  Job job;
  std::string name;    // "model.code = ssm, seed = 1"
  std::string config;  // TOML, resolved
  bool held = false;   // starts only when somebody wants it to (runner/control.h)
};

struct SweepRunSettings {
  std::filesystem::path workspace, trainer;
  results::SweepMark mark;
  int jobs = 1, threads = 1;      // threads of a run
  std::vector<std::string> gpus;  // UUIDs, among which the jobs are shared out; none: processors
  KeeperLimits limits;
  Policy policy;
  double least_disk_bytes = 500e6;  // below it nothing new starts
};

// What there is to tell while it runs.
struct SweepRunWatcher {
  std::function<void(const Scheduler&scheduler, std::size_t job)> started, refused;
  std::function<void(const Scheduler& scheduler, std::size_t job, const Ended& ended)> ended;
  std::function<void(const std::string& text)> said;
};

struct SweepRunResult {
  std::size_t done = 0, failed = 0, left = 0;  // left: interrupted, or not started
  std::size_t cancelled = 0;
  bool stopped = false;  // by a signal
};

// One at a time in a process: SIGINT and SIGTERM are its own meanwhile. The first one lets each run
// write a checkpoint and end, the second kills.
SweepRunResult run_sweep(const std::vector<RunToDo>& runs, const SweepRunSettings& settings,
                         const SweepRunWatcher& watcher);

}  // namespace runner
