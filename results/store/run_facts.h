// Facts about single runs, read from results.db.
#pragma once

#include <cstdint>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "results/store/database.h"
#include "results/text/grid.h"

namespace results {

// The id that begins with `prefix`. Throws std::invalid_argument if no id or several do; for a
// refused run the message says why.
std::string find_run(Database& database, const std::string& prefix);

struct Setting {
  std::string key, value;  // booleans as "true" and "false"
  bool operator==(const Setting&) const = default;
};

struct RunFacts {
  std::string id, status, message;
  std::int64_t steps = 0, attempts = 0;
  std::vector<std::string> sweeps, tags;
  Grid notes;  // name, text
  std::vector<Setting> parameters;
  std::vector<Setting> environment;  // of the last attempt
  Grid metrics;                      // metric, last, at, lowest, at, highest, at
  Grid evaluations;                  // evaluated with, metric, value, step
  Grid attempt_list;                 // attempt, status, from step, to step, seconds
  Grid artefacts;                    // kind, step, bytes, path
};

RunFacts facts_of(Database& database, const std::string& id);

// True for facts that differ in every run and say nothing about the host or the program.
bool is_of_one_process(const std::string& name);

// The differences between two runs, without facts that differ between any two processes. Columns:
// "part" (parameter, environment, metric, run), "key", and one named after each id's first digits.
Grid difference(const RunFacts& a, const RunFacts& b);

// A run's log in order: time, attempt, what, text.
Grid log_of(Database& database, const std::string& id);

// The sweeps that have runs, sorted.
std::vector<std::string> sweeps_with_runs(const Database& database);

// The ids of the runs that were started as points of a sweep.
std::set<std::string> runs_of_sweep(const Database& database, std::string_view sweep);

// The ids of existing runs: `only`; if it is empty, the sweep's runs; without a sweep, all runs.
std::set<std::string> existing_runs(const Database& database, std::string_view sweep,
                                    const std::set<std::string>& only);

// The ids of the runs with a tag.
std::set<std::string> runs_tagged(const Database& database, std::string_view tag);

struct ExportOptions {
  std::string sweep;                // empty: every run
  std::string reduce;               // "last", "lowest", "highest"
  std::set<std::string> only = {};  // ids; if not empty, other runs are left out
};

// The sorted ids of the runs. Throws std::invalid_argument if some were named and none exists.
std::vector<std::string> exported_runs(Database& database, const ExportOptions& options);

// One row per run: id, status, steps, attempts, every parameter, every metric.
Grid export_runs(Database& database, const ExportOptions& options);

}  // namespace results
