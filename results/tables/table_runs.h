// The runs that a table is about, with what the table asks of each.
#pragma once

#include <map>
#include <set>
#include <string>
#include <vector>

#include "results/tables/table.h"

namespace results {

// The parameter over whose values a mean is taken.
inline constexpr const char* kSeed = "seed";

struct TableRun {
  std::string id;
  RunState state = RunState::kNew;  // kNew: planned, and no process has trained it
  std::string commit;
  std::int64_t steps = 0;
  std::map<std::string, std::string> parameters;  // those that vary, and those asked for
  std::map<std::string, double> values;           // by the text of TableSpec
};

struct TableRuns {
  std::vector<TableRun> runs;     // by id, then those that are missing
  std::set<std::string> varying;  // parameters in which they differ
  std::size_t seeds = 0;          // different ones
  std::string title, paper;       // of the sweep
};

// Fills in rows, values, tuned and by where `spec` leaves them open.
TableRuns load_runs(Database& database, TableSpec* spec);

}  // namespace results
