// What there is to see of a sweep that runs: facts only, whoever gathered them and whatever shows
// them.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "results/tables/table.h"
#include "runner/plan/run_feed.h"

namespace runner {

enum class PanelState : std::uint8_t { kRunning, kFailed, kInterrupted, kWaiting, kDone };
inline constexpr std::string_view kPanelStates[] = {"running", "failed", "interrupted", "waiting",
                                                    "done"};

struct PanelRun {
  std::string id;
  std::vector<std::string> at;  // its values on the axes
  PanelState state = PanelState::kWaiting;
  std::string why = {};         // it has failed, or waits: "diverged: exit status 6"
  double steps = 0;             // at most; 0 = not counted
  double seconds = 0;           // that were left when the plan was made
  std::int64_t planned_at = 0;  // the step at which it stood then
  double value = kUnknown;      // of the model's metric
  RunProgress progress = {};    // of runs whose events are read
  double silent_seconds = 0;    // a running one has told nothing for so long
};

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

  std::size_t count(PanelState state) const;
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
