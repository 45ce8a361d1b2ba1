// Lists the custom gates of a sweep's runs, for its report.
#pragma once

#include <set>
#include <string>

#include "lcsm/code/oscillation.h"
#include "results/store/database.h"
#include "results/text/grid.h"

namespace runner {

// One row per gate: name, formula, and help if `catalogue` still has the gate. `sweep` and `only`
// as in TableSpec.
results::Grid report_gates(results::Database& database, const std::string& sweep,
                           const std::set<std::string>& only, const lcsm::Catalogue& catalogue);

}  // namespace runner
