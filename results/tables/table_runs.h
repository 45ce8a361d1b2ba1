// Selects the runs of a table, and reads the parameters and values that it needs.
#pragma once

#include <limits>
#include <map>
#include <set>
#include <string>
#include <vector>

#include "results/tables/table.h"

namespace results {

// An attempt that trained some of a run's steps.
struct EarlierAttempt {
  std::int64_t from_step = 0;
  std::string program, machine;
};

struct TableRun {
  std::string id;
  RunState state = RunState::kNew;  // kNew: planned, and no process has trained it
  std::string commit;
  std::int64_t steps = 0;
  Parameters parameters;                 // varying or needed ones
  std::map<std::string, double> values;  // by their text in TableSpec
  Parameters texts = {};                 // values that are not numbers
  std::string diff = {};                 // the file with the changes to the commit
  std::string machine = {};              // of its last attempt: "EPYC 7763, node1, threads 2"
  double params = std::numeric_limits<double>::quiet_NaN();  // kParams
  bool other_step = false;     // values of an evaluation are of another step than its own
  std::int64_t from_step = 0;  // where its last attempt resumed
  std::vector<EarlierAttempt> earlier = {};
  Parameters sizes = {};  // of its splits, by kExamplesFact
};

// The last attempt's program: its commit and the changes to it.
std::string program_of(const TableRun& run);

// The value of a parameter; "" if the run has no such parameter.
const std::string& parameter(const TableRun& run, std::string_view key);

// Parameters, by the task that all of its runs have them in.
using KeysOfTask = std::map<std::string, std::set<std::string>>;

struct TableRuns {
  Roles roles;
  std::vector<TableRun> runs;                     // by id; missing runs last
  std::set<std::string> varying;                  // parameters in which they differ
  KeysOfTask agree = {};                          // keys_to_agree_in
  std::map<std::string, std::string> by_of = {};  // by task: the metric that chooses, if not `by`
  std::size_t seeds = 0;                          // of a complete cell
  std::set<std::string> left_out = {};            // settings of evaluations that are not shown
  std::string title, paper;                       // of the sweep
};

// Fills in rows, values, tuned and by where `spec` leaves them open.
TableRuns load_runs(Database& database, const Roles& roles, TableSpec* spec);

}  // namespace results
