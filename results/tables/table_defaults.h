// What a table shows by default.
#pragma once

#include <string>
#include <vector>

#include "results/tables/table_runs.h"

namespace results {

// Fills in rows, values, tuned and by where `spec` leaves them open. `metrics` are those of the
// runs; they are needed only if it names no values.
void fill_in(const TableRuns& runs, const std::vector<std::string>& metrics, TableSpec* spec);

}  // namespace results
