// What there is to see of a sweep that runs: facts only, whoever gathered them and whatever shows
// them.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "results/tables/table.h"
#include "runner/plan/run_counts.h"
#include "runner/plan/run_feed.h"

namespace runner {

struct PanelRun {
  std::string id;
  std::vector<std::string> at;  // its values on the axes
  results::RunState state = results::RunState::kNew;
  std::string why = {};         // "diverged: exit status 6"; empty: its state says it all
  double steps = 0;             // at most; 0 = not counted
  double seconds = 0;           // that were left when the plan was made
  std::int64_t planned_at = 0;  // the step at which it stood then
  double value = kUnknown;      // of the model's metric
  RunProgress progress = {};    // of runs whose events are read
  double silent_seconds = 0;    // a running one has told nothing for so long
};

// "diverged: the loss is NaN"; empty for states that need no reason.
std::string why_text(results::RunState state, const std::string& message);

struct PanelBest {
  std::size_t run = 0;
  double value = kUnknown;
};

struct PanelModel {
  std::string sweep, scale, title;
  std::string called;             // the sweep with its scale and settings
  std::string command;            // that runs it
  std::vector<std::string> axes;  // "model.code", "seed"
  std::vector<PanelRun> runs;     // every point, in the sweep's order
  std::string metric;             // what the best is the best of; empty: not known yet
  int jobs = 1;
  bool paused = false, stopping = false;
  std::string runner;             // who runs the workspace; empty: nobody
  double seconds = 0;             // since we look
  double eta_seconds = kUnknown;  // until the last run is over
  std::optional<results::Table> table = {};
  std::string message = {};  // what was told last

  RunCounts counts() const { return RunCounts(runs); }
  double share_done() const;  // 0 to 1; running runs count by their steps
  std::optional<PanelBest> best() const;
};

// Of `run` alone: by its speed, else by the plan as far as it is not done yet, times `pace`.
double seconds_left(const PanelRun& run, double pace);

// What runs took so far, by what the plan said: 1 where nothing can be told.
double pace_of(const PanelModel& model);

// Until all that is running or waiting is over.
double eta_of(const PanelModel& model);

}  // namespace runner
