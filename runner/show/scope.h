// Which runs a sweep's tables, figures and claims are about: its points, including those that
// nobody has run.
#pragma once

#include <set>
#include <string>
#include <vector>

#include "results/store/database.h"
#include "results/tables/table.h"
#include "runner/sweeps/points.h"
#include "runner/sweeps/views.h"

namespace runner {

struct Scope {
  std::string scale;                       // whose points they are, where none was given
  std::size_t left_out = 0;                // runs of the sweep that are none of them
  std::vector<results::NamedRun> planned;  // those that are missing, and one that is not
  std::set<std::string> only;              // as in TableSpec
};

// With a scale or settings: the points that these make. Without (scale empty): those of the scale
// that most of the sweep's runs are points of; where none is one, every run of the sweep.
Scope scope_of(const SweepFile& sweep, const SweepRequest& asked,
               const std::set<std::string>& there);

// The views of a sweep that is known by name or file (sweeps/search.h), each with that scope, which
// `scope` gets too, for other views. Of an unknown name: one table of what varies, as of a file
// without [[table]]. Runs that were left out without a request are counted on stderr.
SweepViews find_views(const std::string& sweep, const SweepRequest& asked,
                      results::Database& database, Scope* scope = nullptr);

// The views of a sweep whose points are known already, each with the scope of these points.
SweepViews views_over(const SweepFile& sweep, const std::vector<results::NamedRun>& points,
                      results::Database& database);

template <class Spec>
void set_scope(const Scope& scope, Spec* spec) {
  spec->planned = scope.planned;
  spec->only = scope.only;
}

}  // namespace runner
