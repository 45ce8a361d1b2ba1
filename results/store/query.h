// SQL that reads.
#pragma once

#include <string>

#include "results/store/database.h"
#include "results/text/grid.h"

namespace results {

// The answer to one statement. Throws std::invalid_argument when it is none, more than one, or
// would write or reach another file.
Grid answer_query(Database& database, const std::string& sql);

// The rows of a statement of ours whose parameters are bound.
Grid rows_of(Statement& statement);

}  // namespace results
