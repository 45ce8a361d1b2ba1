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

Points points_of(const SweepFile& sweep, const SweepRequest& asked,
                 const std::set<std::string>& there) {
  Points points;
  expand(sweep, asked, [&](const Point& point, const RunConfig& config) {
    points.scope.only.insert(point.id);
    const bool exists = there.contains(point.id);
    if (exists) ++points.there;
    // One that exists shows in what the missing ones differ from it.
    if (!exists || points.there == 1)
      points.scope.planned.push_back({point.id, parameter_values(config)});
  });
  return points;
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
    Points points = points_of(sweep, {.scale = scale}, there);
    points.scope.scale = scale;
    if (points.there > most.there) most = std::move(points);
    if (most.there == there.size()) break;
  }
  if (most.there > 0) most.scope.left_out = there.size() - most.there;
  return std::move(most.scope);
}

SweepViews find_views(const std::string& sweep, const SweepRequest& asked,
                      results::Database& database, Scope* scope) {
  SweepViews views;
  views.sweep = sweep;
  if (sweep.empty() || (!sweep.ends_with(".toml") && !is_known_sweep(sweep))) {
    if (!asked.scale.empty() || !asked.settings.empty())
      throw std::invalid_argument(
          "--scale and --set are about a sweep's file: expected one of "
          "`lcsm sweeps`, or a .toml file, got '" +
          sweep + "'");
    views.tables.push_back({.sweep = sweep});
    return views;
  }
  const SweepFile file = load_sweep(sweep);
  views = file.views;
  if (views.tables.empty()) views.tables.push_back({.sweep = views.sweep});
  Scope found;
  try {
    found = scope_of(file, asked, runs_of(database, views.sweep));
  } catch (const std::exception& error) {
    // What was asked for has to be found; what a table could mark besides does not.
    if (!asked.scale.empty() || !asked.settings.empty()) throw;
    fmt::print(stderr, "runs that are missing are not shown: {}\n", error.what());
  }
  if (found.left_out > 0)
    fmt::print(
        stderr,
        "{} run{} of {} left out: no point{} of its scale {} as the file is now; --scale and "
        "--set show others\n",
        found.left_out, found.left_out == 1 ? "" : "s", views.sweep, found.left_out == 1 ? "" : "s",
        found.scale);
  for (results::TableSpec& spec : views.tables) set_scope(found, &spec);
  for (results::FigureSpec& spec : views.figures) set_scope(found, &spec);
  for (results::ClaimSpec& spec : views.claims) set_scope(found, &spec);
  if (scope != nullptr) *scope = std::move(found);
  return views;
}

}  // namespace runner
