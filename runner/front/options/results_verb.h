// Shared by the verbs that read or fold results: the workspace, the database, the formats.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "results/store/database.h"
#include "results/store/fold.h"
#include "results/tables/table.h"
#include "results/text/grid.h"
#include "runner/base/cli/verb.h"
#include "runner/sweeps/plan/open_results.h"

namespace runner {

// Adds `--workspace DIR`.
void add_workspace_option(Verb& verb, std::string* workspace);

// Adds `--format`, one of text, csv, md, json, and `--json`.
void add_format_option(Verb& verb, std::string* format, const std::string& schema);

// Adds `--json`, short for `--format json`.
void add_json_flag(Verb& verb, std::string* format);

inline constexpr const char* kRunHelp =
    "First digits of a run's id, or values ('model.code=1-3-1-2, seed=1')";

// An argument that completes the ids of the workspace.
void add_run_argument(Verb& verb, const std::string& name, std::string* run,
                      const std::string& help);

// Arguments KEY=VALUE of --where. Throws std::invalid_argument.
std::vector<results::Condition> conditions(const std::vector<std::string>& words);

// The selected workspace. Throws Failure if it does not exist.
std::filesystem::path workspace_of(const std::string& given);

// "; did you mean 'x/workspace'?" for the folder x around a workspace, else empty.
std::string meant_workspace(const std::filesystem::path& folder);

// Prints the grid on stdout. `schema` names the JSON.
void print_grid(const results::Grid& grid, const std::string& format, const std::string& schema);

// The grid as a table for reading.
std::string grid_text(const results::Grid& grid);

}  // namespace runner
