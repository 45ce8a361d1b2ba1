// Shows several sweeps together: the tables of the first one over the runs of all.
#pragma once

#include <string>
#include <vector>

#include "runner/front/views/scope.h"

namespace runner {

// For one sweep, its views as find_views returns them. For several, the tables of the first one
// over the runs of all, where `sweep` may be a row or a column; no figures and no claims.
SweepViews find_views(const std::vector<std::string>& sweeps, const SweepRequest& asked,
                      results::Database& database, Scope* scope);

}  // namespace runner
