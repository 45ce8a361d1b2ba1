// Compares a sweep with its workspace: remaining runs, their cost and their time.
#pragma once

#include <filesystem>
#include <functional>
#include <set>
#include <string>
#include <vector>

#include "runner/sweeps/language/points.h"
#include "runner/sweeps/plan/gpu_cost.h"
#include "runner/sweeps/plan/run_counts.h"
#include "runner/sweeps/plan/run_history.h"
#include "runner/sweeps/plan/run_states.h"

namespace runner {

struct PlannedRun {
  Point point;
  results::RunState state = results::RunState::kNew;
  results::RunState last = results::RunState::kNew;  // the state without requests of users
  std::string message = {};                          // of its end
  std::int64_t steps_done = 0;  // of a stopped run: the steps of its last checkpoint
  double steps = 0;             // at most; 0 = not counted
  double seconds = 0;           // remaining
  double whole_seconds = 0;     // from the first step on
  double memory_bytes = 0, disk_bytes = 0;
  // On one GPU of the plan's kind: remaining seconds, in float32 and in bfloat16; the most memory.
  double gpu_seconds = 0, gpu_bf16_seconds = 0, gpu_bytes = 0;
  std::string source = {};  // of the estimate
  bool lacks_data = false;  // the run remains and its data is missing

  bool to_do() const { return row_of(state).starts; }
};

struct SweepPlan {
  Expansion expansion;
  std::vector<PlannedRun> runs;  // in the order of the points
  int slots = 1;
  double seconds = 0;       // of remaining work
  double eta_seconds = 0;   // until the last run ends, with these slots
  double memory_bytes = 0;  // of the largest runs that train simultaneously
  double disk_bytes = 0;    // still to be written
  const GpuKind* gpu = &kGpuKinds[0];
  // All remaining runs in sequence, in float32 and in bfloat16; the largest run.
  double gpu_seconds = 0, gpu_bf16_seconds = 0, gpu_bytes = 0;
  std::vector<std::string> missing_data = {};  // missing data of remaining runs, each set once

  std::set<std::string> makes = {};   // commands `lcsm data make ...` that generate missing data
  std::set<std::string> stated = {};  // those of existing data with task.data_options

  RunCounts counts() const { return RunCounts(runs); }
};

// The states and times of the workspace's runs; empty if there is no workspace.
struct Known {
  RunStates states;
  RunHistory history;
};
Known known_of(const std::filesystem::path& workspace);
// Also uses times measured on other hosts, such as a cluster's nodes.
Known known_of_all_hosts(const std::filesystem::path& workspace);

struct Capacity {
  int slots = 1, cores = 1;            // runs at a time, and the cores that they share
  const GpuKind* gpu = &kGpuKinds[0];  // on which the plan estimates a run's time and memory
};

// `visit` gets each run with its configuration, in the order of the points. The plan keeps no
// configuration, since it may have thousands of runs.
using VisitPlannedRun = std::function<void(const PlannedRun& run, const RunConfig& config)>;
SweepPlan plan_sweep(const SweepFile& sweep, const SweepRequest& request, const Known& known,
                     const Capacity& capacity, const VisitPlannedRun& visit = {});

// Commands `lcsm data make ...`. Data that must be fetched is not included.
struct DataCommands {
  std::set<std::string> missing;  // generate missing data of remaining runs
  std::set<std::string> stated;   // existing data must agree with: SweepPlan::stated
};
DataCommands data_commands(const SweepFile& sweep, const SweepRequest& request, const Known& known);

// The time at which the last run ends if each free slot starts the longest remaining run.
double time_with_slots(std::vector<double> seconds, int slots);

}  // namespace runner
