// Runs read-only SQL.
#pragma once

#include <string>

#include "results/store/database.h"
#include "results/text/grid.h"

namespace results {

// Runs one statement. Throws std::invalid_argument for none, for several, and for one that would
// write or open another file.
Grid answer_query(Database& database, const std::string& sql);

// The rows of a statement whose parameters are bound.
Grid rows_of(Statement& statement);

}  // namespace results
