// What the runs of a database say to a sweep's views.
#pragma once

#include <vector>

#include "results/store/database.h"
#include "runner/sweeps/views.h"

namespace runner {

// The claims with their answers. One that cannot be asked of these runs says why; where it comes
// from a file that the sweep's own file extends, it is left out.
std::vector<results::Claim> claim_results(results::Database& database, const SweepViews& views);

// Table `i` of the views; the last one has the claims. Throws std::invalid_argument for what cannot
// be shown of these runs.
results::Table table_result(results::Database& database, const SweepViews& views, std::size_t i);

// All of them.
std::vector<results::Table> table_results(results::Database& database, const SweepViews& views);

}  // namespace runner
