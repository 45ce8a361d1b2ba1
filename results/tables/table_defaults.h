// Chooses the defaults of a table.
#pragma once

#include <string>
#include <vector>

#include "results/tables/table_runs.h"

namespace results {

// Fills in rows, values, tuned and by, if `spec` leaves them open. `metrics`: the metrics of the
// runs, needed only if `spec` names no values.
void fill_in(const TableRuns& runs, const std::vector<std::string>& metrics, TableSpec* spec);

}  // namespace results
