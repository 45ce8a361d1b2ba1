// Runs as named on a command line: by an id or its first digits, or all of a sweep.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "runner/plan/run_states.h"

namespace runner {

struct RunChoice {
  std::vector<std::string> words, settings;
  std::string scale;  // of sweeps; empty: all scales
};

struct ChosenRun {
  std::string id;
  std::string name;  // the point in its sweep; "" for a run named by its id
  results::RunState state = results::RunState::kNew;
};
struct ChosenRuns {
  std::string word;  // as it was given
  bool sweep = false;
  std::vector<ChosenRun> runs;
};

// One for each word. Throws std::invalid_argument for a word that is neither a run nor a sweep.
std::vector<ChosenRuns> chosen_runs(const RunChoice& choice, const RunStates& states,
                                    const std::filesystem::path& workspace);

// A run by its id or its first digits: of the workspace, else a point of a sweep known by name. A
// whole id may belong to a future run. Throws std::invalid_argument if there is none, or several.
struct FoundRun {
  std::string id, sweep, scale,
      name;  // the last three only for a point that is not in the workspace yet
};
FoundRun find_run_or_point(const std::string& start, const RunStates& states,
                           const std::filesystem::path& workspace);

}  // namespace runner
