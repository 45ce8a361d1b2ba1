// Reads a panel's values from the database: the sweep's table, and a metric of its runs.
#pragma once

#include <filesystem>
#include <future>
#include <optional>
#include <string>
#include <unordered_map>

#include "results/store/summary.h"
#include "results/tables/table.h"

namespace runner {

struct DatabaseQuery {
  std::filesystem::path workspace;
  results::TableSpec table;
  std::string metric;  // a value (parse_value); empty: the runs' first validation metric
  bool once = false;   // a single read, which may read all run folders
};

struct DatabaseValues {
  std::optional<results::Table> table;  // nullopt until a run has one of its values
  std::string metric;
  std::unordered_map<std::string, results::Summary> of_run;  // by id
  double seconds = 0;                                        // CPU seconds that the query took
};

// Folds and reads. nullopt if the database can at present be neither written nor read.
std::optional<DatabaseValues> read_database(const DatabaseQuery& query);

// Reads the database on another thread, which gets no signals: waiting for locks or for the disk
// would delay the start of runs.
std::future<std::optional<DatabaseValues>> read_database_beside(DatabaseQuery query);

}  // namespace runner
