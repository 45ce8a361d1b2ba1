// Several sweeps side by side.
#pragma once

#include <string>
#include <vector>

#include "runner/front/views/scope.h"

namespace runner {

// The views of one sweep as find_views has them. Of several: the tables of the first one over the
// runs of all, where `sweep` may be a row or a column; no figures and claims of their own.
SweepViews find_views(const std::vector<std::string>& sweeps, const SweepRequest& asked,
                      results::Database& database, Scope* scope);

}  // namespace runner
