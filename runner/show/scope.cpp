#include "runner/show/scope.h"

#include <fmt/format.h>

#include "runner/config/run_line.h"
#include "runner/sweeps/search.h"

namespace runner {
namespace {

std::set<std::string> runs_of(results::Database& database, const std::string& sweep) {
  results::Statement select(
      database, "SELECT id FROM runs WHERE run IN (SELECT run FROM points WHERE sweep = ?)");
  select.bind_all(std::string_view(sweep));
  std::set<std::string> ids;
  while (select.step()) ids.insert(select.text(0));
  return ids;
}

struct Points {
  std::size_t there = 0;
  Scope scope;
};

// An existing run shows in which parameters the missing ones differ.
template <class Parameters>
void add_point(const std::string& id, const std::set<std::string>& there,
               const Parameters& parameters, Points* points) {
  points->scope.only.insert(id);
  const bool exists = there.contains(id);
  if (exists) ++points->there;
  if (!exists || points->there == 1) points->scope.planned.push_back({id, parameters()});
}

Points points_of(const SweepFile& sweep, const SweepRequest& asked,
                 const std::set<std::string>& there) {
  Points points;
  expand(sweep, asked, [&](const Point& point, const RunConfig& config) {
    const auto parameters = [&] { return parameter_values(config); };
    add_point(point.id, there, parameters, &points);
  });
  return points;
}

// The sweep's views, or one table if it has none, over the runs of the scope.
SweepViews views_in(const SweepFile& sweep, const Scope& scope) {
  SweepViews views = sweep.views;
  if (views.tables.empty()) views.tables.push_back({.sweep = views.sweep});
  for (results::TableSpec& spec : views.tables) set_scope(scope, &spec);
  for (results::FigureSpec& spec : views.figures) set_scope(scope, &spec);
  for (results::ClaimSpec& spec : views.claims) set_scope(scope, &spec);
  return views;
}

void print_runs_left_out(const Scope& scope, const std::string& sweep) {
  if (scope.left_out == 0) return;
  fmt::print(stderr,
             "{} run{} of {} left out: not in its scale {} as the file is now; select others with "
             "--scale and --set\n",
             scope.left_out, scope.left_out == 1 ? "" : "s", sweep, scope.scale);
}

}  // namespace

Scope scope_of(const SweepFile& sweep, const SweepRequest& asked,
               const std::set<std::string>& there) {
  if (!asked.scale.empty() || !asked.settings.empty()) {
    SweepRequest request = asked;
    if (request.scale.empty()) request.scale = kPaperScale;
    return points_of(sweep, request, there).scope;
  }
  Points most;
  for (const std::string& scale : sweep.scale_names()) {
    Points points = points_of(sweep, {.scale = scale, .workspace = asked.workspace}, there);
    points.scope.scale = scale;
    if (points.there > most.there) most = std::move(points);
    if (most.there == there.size()) break;
  }
  if (most.there > 0) most.scope.left_out = there.size() - most.there;
  return std::move(most.scope);
}

SweepViews find_views(const std::string& sweep, const SweepRequest& asked,
                      results::Database& database, Scope* scope) {
  if (sweep.empty() || (!sweep.ends_with(".toml") && !is_known_sweep(sweep))) {
    if (!asked.scale.empty() || !asked.settings.empty())
      throw std::invalid_argument(
          "--scale and --set are about a sweep's file: expected one of "
          "`lcsm sweeps`, or a .toml file, got '" +
          sweep + "'");
    SweepViews views;
    views.sweep = sweep;
    views.tables.push_back({.sweep = sweep});
    return views;
  }
  const SweepFile file = load_sweep(sweep);
  Scope found;
  try {
    found = scope_of(file, asked, runs_of(database, file.name));
  } catch (const std::exception& error) {
    // The requested points must resolve; missing runs that a table would only mark need not.
    if (!asked.scale.empty() || !asked.settings.empty()) throw;
    fmt::print(stderr, "missing runs are not shown: {}\n", error.what());
  }
  print_runs_left_out(found, file.name);
  SweepViews views = views_in(file, found);
  if (scope != nullptr) *scope = std::move(found);
  return views;
}

SweepViews views_over(const SweepFile& sweep, const std::vector<results::NamedRun>& points,
                      results::Database& database) {
  const std::set<std::string> there = runs_of(database, sweep.name);
  Points all;
  for (const results::NamedRun& point : points) {
    const auto parameters = [&] { return point.parameters; };
    add_point(point.id, there, parameters, &all);
  }
  return views_in(sweep, all.scope);
}

}  // namespace runner
