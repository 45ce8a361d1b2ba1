// Finds runs named on a command line: by an id or its first digits, by values (run_values.h), or by
// a sweep.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "runner/sweeps/plan/run_states.h"

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
  std::string word;      // as typed
  bool several = false;  // the runs of a sweep, or all with some values
  std::vector<ChosenRun> runs;
};

// Returns the runs of each word. Throws std::invalid_argument for a word that names no run and no
// sweep.
std::vector<ChosenRuns> chosen_runs(const RunChoice& choice, results::Database& database,
                                    const RunStates& states,
                                    const std::filesystem::path& workspace);

// The run of the database that `word` names. Throws std::invalid_argument for none or several.
std::string find_run(results::Database& database, const std::filesystem::path& workspace,
                     const std::string& word);

// A run of the database, or a point that has not been started: of the workspace's last sweep or, by
// its id, of any known sweep. A complete id may belong to a future run.
struct FoundRun {
  std::string id, sweep, scale,
      name;  // the last three only for a point that is not in the workspace yet
};
FoundRun find_run_or_point(const std::string& word, results::Database& database,
                           const RunStates& states, const std::filesystem::path& workspace);

}  // namespace runner
