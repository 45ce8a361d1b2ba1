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

struct Scope {
  std::string scale;                       // of the points, if none was requested
  std::size_t left_out = 0;                // runs started by the sweep that are no points of it now
  std::size_t former = 0;                  // the same, but they are shown: no run is a point
  std::vector<results::NamedRun> planned;  // missing points, and one that is not missing
  std::set<std::string> only;              // as in TableSpec
  std::vector<std::string> expected;       // as in TableSpec: valid.*, then test.*, then others
  results::LabelOrder order;               // of the values in the sweep's lists
  results::ModelNames models = {};
  std::set<std::string> seeds = {};                    // of its points
  std::optional<std::set<std::string>> as_paper = {};  // as in TableSpec
};

// The runs of a workspace: a point is trained if a run has its id, whichever sweep started it.
struct TrainedRuns {
  std::set<std::string> all;
  std::set<std::string> started;  // by the sweep
};
TrainedRuns trained_runs(const results::Database& database, const std::string& sweep);

// With a scale or settings: the points they give. Without (scale empty): the points of the scale
// that has most of the runs started by the sweep, then most of all runs; every run of the sweep if
// none is a point. For a sweep without trained points: the points of `paper`.
Scope scope_of(const SweepFile& sweep, const SweepRequest& asked, const TrainedRuns& trained);

// The views of a sweep by name or file (language/search.h), each with that scope, which is also
// returned in `scope` for other views. For an unknown name, as for a file without [[table]]: one
// table of what varies. Runs left out without a request are counted on stderr.
SweepViews find_views(const std::string& sweep, const SweepRequest& asked,
                      results::Database& database, Scope* scope = nullptr);

// The views of a sweep whose points are already known, each with the scope of these points.
SweepViews views_over(const SweepFile& sweep, const SweepRequest& asked,
                      const std::vector<Axis>& axes, const std::vector<results::NamedRun>& points,
                      results::Database& database);

results::LabelOrder order_of(const std::vector<Axis>& axes);

template <class Spec>
void set_scope(const Scope& scope, Spec* spec) {
  spec->planned = scope.planned;
  spec->only = scope.only;
  spec->expected = scope.expected;
  spec->models = scope.models;
  spec->as_paper = scope.as_paper;
  if constexpr (requires { spec->order; }) spec->order = scope.order;
}

}  // namespace runner
