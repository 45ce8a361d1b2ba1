// Finds runs by their values, as people name them: "model.code = 1-9-1-0, seed = 2". `tag`, `sweep`
// and `state` work like parameters.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "results/events/event.h"
#include "results/store/database.h"
#include "results/tables/table.h"
#include "runner/sweeps/plan/run_states.h"

namespace runner {

using RunValues = std::vector<std::pair<std::string, std::string>>;

// True if a word of a command line has the form KEY = VALUE.
bool has_run_values(const std::string& word);

// Throws std::invalid_argument for a key that no run can have.
RunValues run_values(const std::string& word);

// As runs keep the sizes of a code: model.code = 1-1-1-0@tau=8,k=4 is 1-1-1-0@tau=8 with model.k
// = 4.
RunValues with_sizes_apart(const RunValues& values);

// The runs of the database with all of these values, by id. `names`: further names of models.
std::vector<std::string> runs_with(results::Database& database, const RunStates& states,
                                   const RunValues& values, const results::ModelNames& names = {});

// True if a point of a sweep, which may not be in the database, has these values.
bool point_has(const results::Database& database, const results::Values& parameters,
               const std::string& sweep, results::RunState state, const RunValues& values);

// Explains why no run has these values: "no run has seed = 9; with the rest seed is 1, 2, 3".
std::string none_with(results::Database& database, const RunStates& states,
                      const RunValues& values);

// Describes how these runs differ: "optim.lr (0.001, 0.003), seed (1, 2)".
std::string differences_of(results::Database& database, const std::vector<std::string>& ids);

}  // namespace runner
