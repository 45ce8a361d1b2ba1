// A sweep compared with its workspace: what is left to run, at what cost, for how long.
#pragma once

#include <filesystem>
#include <functional>
#include <string>
#include <vector>

#include "runner/sweeps/language/points.h"
#include "runner/sweeps/plan/run_counts.h"
#include "runner/sweeps/plan/run_history.h"
#include "runner/sweeps/plan/run_states.h"

namespace runner {

struct PlannedRun {
  Point point;
  results::RunState state = results::RunState::kNew;
  results::RunState last = results::RunState::kNew;  // the state without requests of users
  std::string message = {};                          // of its end
  std::int64_t steps_done = 0;
  double steps = 0;    // at most; 0 = not counted
  double seconds = 0;  // remaining
  double memory_bytes = 0, disk_bytes = 0;
  std::string source = {};  // of the estimate
  bool lacks_data = false;  // and is to do

  bool to_do() const { return row_of(state).starts; }
};

struct SweepPlan {
  Expansion expansion;
  std::vector<PlannedRun> runs;  // in the order of the points
  int slots = 1;
  double seconds = 0;                          // of remaining work
  double eta_seconds = 0;                      // until the last run ends, with these slots
  double memory_bytes = 0;                     // of the largest runs that run at the same time
  double disk_bytes = 0;                       // still to be written
  std::vector<std::string> missing_data = {};  // what runs to do lack, once for each data set

  RunCounts counts() const { return RunCounts(runs); }
};

// What is known of the workspace; empty if there is none.
struct Known {
  RunStates states;
  RunHistory history;
};
Known known_of(const std::filesystem::path& workspace);
// The same with the times of all hosts, as those of a cluster.
Known known_of_all_hosts(const std::filesystem::path& workspace);

// `visit` gets each run with its configuration, in the order of the points; the plan, which may
// have thousands, keeps none.
using VisitPlannedRun = std::function<void(const PlannedRun& run, const RunConfig& config)>;
SweepPlan plan_sweep(const SweepFile& sweep, const SweepRequest& request, const Known& known,
                     int slots, int cores, const VisitPlannedRun& visit = {});

// The time at which the last run ends if each slot takes the longest remaining run.
double time_with_slots(std::vector<double> seconds, int slots);

}  // namespace runner
