// The state of a running sweep as plain data. The feed fills it; views only read it.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "results/tables/table.h"
#include "runner/sweeps/plan/run_counts.h"
#include "runner/sweeps/plan/run_feed.h"

namespace runner {

struct PanelRun {
  std::string id;
  std::vector<std::string> at;  // the run's values on the axes
  results::RunState state = results::RunState::kNew;
  std::string why = {};         // "diverged: exit status 6"; empty: the state suffices
  double steps = 0;             // at most; 0 = not counted
  double seconds = 0;           // remaining time when the plan was made
  std::int64_t planned_at = 0;  // step when the plan was made
  double value = kUnknown;      // of the model's metric
  RunProgress progress = {};    // of runs whose events are read
  double silent_seconds = 0;    // since a running run wrote its last event
};

// "diverged: the loss is NaN"; empty for states without a reason.
std::string why_text(results::RunState state, const std::string& message);

struct PanelBest {
  std::size_t run = 0;
  double value = kUnknown;
};

struct PanelModel {
  std::string sweep, scale, title;
  std::string called;             // the sweep with its scale and settings
  std::string command;            // the command that runs it
  std::vector<std::string> axes;  // "model.code", "seed"
  std::vector<PanelRun> runs;     // every point, in the sweep's order
  std::string metric;             // ranks the runs; empty: not known yet
  int jobs = 1;
  bool paused = false, stopping = false;
  std::string runner;                    // the process that runs the workspace; empty: none
  std::vector<std::string> queued = {};  // sweeps that wait for the runner, the next one first
  double seconds = 0;                    // since the panel was opened
  double eta_seconds = kUnknown;         // until the last run is over
  std::optional<results::Table> table = {};
  std::string message = {};  // the last message

  RunCounts counts() const { return RunCounts(runs); }
  double share_done() const;              // 0 to 1; running runs count by their steps
  std::optional<PanelBest> best() const;  // nullopt also where tasks differ
};

// The step of a run, or the step of its last checkpoint if it has stopped.
std::int64_t step_of(const PanelRun& run);

// The remaining seconds of `run` alone: from its speed if known, else the rest of its plan times
// `pace`.
double seconds_left(const PanelRun& run, double pace);

// The time that runs took so far, relative to the plan; 1 if unknown.
double pace_of(const PanelModel& model);

// The seconds until all running and pending runs have ended.
double eta_of(const PanelModel& model);

}  // namespace runner
