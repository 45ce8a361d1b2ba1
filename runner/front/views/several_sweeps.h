// Shows several sweeps together: the tables of the first one over the runs of all.
#pragma once

#include <string>
#include <vector>

#include "runner/front/views/scope.h"

namespace runner {

// For one sweep, the views of scope.h. For several, the tables of the first one over all runs, with
// `sweep` as a possible row or column, and no figures or claims.
SweepViews find_views(const std::vector<std::string>& sweeps, const SweepRequest& asked,
                      results::Database& database, Scope* scope);

}  // namespace runner
