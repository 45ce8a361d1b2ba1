// Evaluates a sweep's views over the runs of a database.
#pragma once

#include <vector>

#include "results/store/database.h"
#include "runner/sweeps/language/views.h"

namespace runner {

// Judges the claims of the views as one family. A claim that these runs cannot decide gets a
// reason, is left out if it comes from a file that the sweep's file extends, and is refused with
// std::invalid_argument if it is an option.
std::vector<results::Claim> claim_results(results::Database& database, const SweepViews& views);

// Table `i` of the views; the last one has the claims. Throws std::invalid_argument if these runs
// cannot fill it.
results::Table table_result(results::Database& database, const SweepViews& views, std::size_t i);

// Evaluates all tables.
std::vector<results::Table> table_results(results::Database& database, const SweepViews& views);

}  // namespace runner
