// Decides which runs a sweep's tables, figures and claims cover: its points, trained or not.
#pragma once

#include <set>
#include <string>
#include <vector>

#include "results/store/database.h"
#include "results/tables/table.h"
#include "runner/sweeps/language/points.h"
#include "runner/sweeps/language/views.h"

namespace runner {

// `planned` has the missing points and one existing point, `expected` valid.*, then test.*, then
// others.
struct Scope : results::ViewScope {
  std::string scale;            // scale of the points, if none was requested
  std::size_t left_out = 0;     // runs started by the sweep that are not its points now
  std::size_t former = 0;       // such runs that are shown, since no run is a point
  bool of_others = false;       // a scale other than `paper`; other sweeps trained it
  std::set<std::string> seeds;  // of its points
};

// The runs of a workspace. A point is trained if a run has its id, whichever sweep started the run.
struct TrainedRuns {
  std::set<std::string> all;
  std::set<std::string> started;  // by the sweep
};

// With a requested scale or settings: their points. Otherwise: the points of the scale with the
// most runs started by the sweep, then the most runs at all; every run of the sweep if no run is a
// point; for a sweep without trained points, the points of `paper`.
Scope scope_of(const SweepFile& sweep, const SweepRequest& asked, const TrainedRuns& trained);

// The views of a sweep by name or file (language/search.h), each with the scope, which is also
// returned in `scope` for other views. An unknown name, or a file without [[table]], gives one
// table of the varying parameters. Without a request, counts the runs left out on stderr.
SweepViews find_views(const std::string& sweep, const SweepRequest& asked,
                      results::Database& database, Scope* scope);

// The views of a sweep whose points are already known, each with the scope of these points.
SweepViews views_over(const SweepFile& sweep, const SweepRequest& asked,
                      const std::vector<Axis>& axes, const std::vector<results::NamedRun>& points,
                      results::Database& database);

results::LabelOrder order_of(const std::vector<Axis>& axes);

}  // namespace runner
