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
  std::string metric;  // as parse_value reads it; empty: the first validation metric of its runs
  bool once = false;   // not again and again: may read all run folders
};

struct DatabaseValues {
  std::optional<results::Table> table;  // none while no run has any of its values
  std::string metric;
  std::unordered_map<std::string, results::Summary> of_run;  // by id
  double seconds = 0;                                        // CPU seconds that the query took
};

// Folds and reads. Nothing if the database can neither be written nor read at present.
std::optional<DatabaseValues> read_database(const DatabaseQuery& query);

// Reads the database on another thread, which gets no signals. Waiting for locks or for the disk
// would delay the start of runs.
std::future<std::optional<DatabaseValues>> read_database_beside(DatabaseQuery query);

}  // namespace runner
