// Which runs a sweep's tables, figures and claims are about: its points, those that nobody has run
// among them.
#pragma once

#include <set>
#include <string>
#include <vector>

#include "results/database.h"
#include "results/table.h"
#include "runner/sweep_points.h"
#include "runner/sweep_views.h"

namespace runner {

struct Scope {
  std::vector<results::PlannedRun> planned;  // those that are missing, and one that is not
  std::set<std::string> only;                // as in TableSpec
};

// With a scale or settings: the points that these make. Without (scale empty): every run that has
// been started for the sweep, and what is missing at the scale that most of them are points of.
Scope scope_of(const SweepFile& sweep, const SweepRequest& asked,
               const std::set<std::string>& there);

// The views of a sweep that is known by name or file (sweep_search.h), each with that scope, which
// is also left in `scope` for other views; of another name nothing but that. Where no table is
// asked for there is one of what varies.
SweepViews find_views(const std::string& sweep, const SweepRequest& asked,
                      results::Database& database, Scope* scope = nullptr);

template <class Spec>
void set_scope(const Scope& scope, Spec* spec) {
  spec->planned = scope.planned;
  spec->only = scope.only;
}

}  // namespace runner
