// Runs as they are named on a command line: by an id or its start, or all of a sweep.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "runner/plan/run_states.h"

namespace runner {

struct RunChoice {
  std::vector<std::string> words, settings;
  std::string scale;  // of sweeps; empty: every one
};

struct ChosenRun {
  std::string id;
  std::string name;  // where it stands in its sweep; "" for one that was named by its id
  results::RunState state = results::RunState::kNew;
};
struct ChosenRuns {
  std::string word;  // as it was given
  bool sweep = false;
  std::vector<ChosenRun> runs;
};

// One for each word. Throws std::invalid_argument for one that is neither run nor sweep.
std::vector<ChosenRuns> chosen_runs(const RunChoice& choice, const RunStates& states,
                                    const std::filesystem::path& workspace);

// A run by its id or its start: of the workspace, else a point of a sweep that is known by name; a
// whole id may be that of a run to come. Throws std::invalid_argument when it is none, or several.
struct FoundRun {
  std::string id, sweep, scale, name;  // the last three of a point that is not in the workspace yet
};
FoundRun find_run_or_point(const std::string& start, const RunStates& states,
                           const std::filesystem::path& workspace);

}  // namespace runner
