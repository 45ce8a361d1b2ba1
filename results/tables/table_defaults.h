// What a table shows where nobody said it.
#pragma once

#include <string>
#include <vector>

#include "results/tables/table_runs.h"

namespace results {

// Rows, values, tuned and by where `spec` leaves them open. `metrics`: those of the runs, needed
// only where it names no values.
void fill_in(const TableRuns& runs, const std::vector<std::string>& metrics, TableSpec* spec);

}  // namespace results
