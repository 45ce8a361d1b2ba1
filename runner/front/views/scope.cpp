#include "runner/front/views/scope.h"

#include <fmt/format.h>

#include <algorithm>
#include <string_view>
#include <tuple>

#include "lcsm/base/nearest.h"
#include "lcsm/base/words.h"
#include "results/store/run_facts.h"
#include "runner/base/process/stderr_text.h"
#include "runner/base/random/split.h"
#include "runner/base/text/counts.h"
#include "runner/config/keys/config_keys.h"
#include "runner/config/keys/roles.h"
#include "runner/config/keys/task_rows.h"
#include "runner/config/run/run_line.h"
#include "runner/sweeps/language/choice.h"
#include "runner/sweeps/language/search.h"

namespace runner {
namespace {

std::set<std::string_view> tasks_in(const results::Database& database) {
  results::Statement select(database, "SELECT DISTINCT value FROM parameters WHERE key = ?",
                            kRoles.task);
  std::set<std::string_view> tasks;
  while (select.step())
    if (const TaskRow* row = task_row(select.text(0)); row != nullptr) tasks.insert(row->name);
  return tasks;
}

struct Points {
  std::size_t there = 0;    // trained
  std::size_t started = 0;  // of these, by the sweep
  std::set<std::string_view> tasks;
  Scope scope;
};

// Every metric of the tasks once: on the validation split, on the test split, then the metrics of
// all runs.
std::vector<std::string> metrics_of(const std::set<std::string_view>& tasks) {
  std::vector<std::string> metrics;
  for (const Split split : {Split::kValid, Split::kTest})
    for (const std::string_view task : tasks)
      for (const std::string& name : lcsm::words_of(task_row(task)->reports)) {
        const std::string metric = std::string(to_string(split)) + "." + name;
        if (std::find(metrics.begin(), metrics.end(), metric) == metrics.end())
          metrics.push_back(metric);
      }
  for (const std::string& metric : lcsm::words_of(kRunMetrics)) metrics.push_back(metric);
  return metrics;
}

// An existing run shows in which parameters the missing ones differ.
template <class Parameters>
void add_point(const std::string& id, const std::string& model, const TrainedRuns& trained,
               const Parameters& parameters, Points* points) {
  points->scope.only.insert(id);
  if (!model.empty()) points->scope.models[id] = model;
  const bool exists = trained.all.contains(id);
  if (exists) ++points->there;
  if (trained.started.contains(id)) ++points->started;
  if (!exists || points->there == 1) points->scope.planned.push_back({id, parameters(), model});
}

Points points_of(const SweepFile& sweep, const SweepRequest& asked, const TrainedRuns& trained) {
  Points points;
  const Expansion expansion =
      expand(sweep, asked, [&](const Point& point, const RunConfig& config) {
        const auto parameters = [&] { return parameter_values(config); };
        add_point(point.id, model_label(config), trained, parameters, &points);
        points.scope.seeds.insert(value_text(config.at(key_index(std::string(kRoles.seed))).value));
        points.tasks.insert(config.task().name);
      });
  points.scope.expected = metrics_of(points.tasks);
  points.scope.order = order_of(expansion.axes);
  return points;
}

// The sweep's views, or one table if it has none, over the runs of the scope.
SweepViews views_in(const SweepFile& sweep, const Scope& scope) {
  SweepViews views = sweep.views;
  if (views.tables.empty()) views.tables.push_back({{.sweep = views.sweep}});
  for (results::TableSpec& spec : views.tables) {
    spec.scope = scope;
    spec.sweep_title = views.title;
    spec.paper = views.paper;
  }
  for (results::FigureSpec& spec : views.figures) spec.scope = scope;
  for (results::ClaimSpec& spec : views.claims) spec.scope = scope;
  return views;
}

// The runs of the sweep's file at the scale `paper`, with the seeds of the scope; none if their
// data is missing, since then they cannot have been trained.
std::set<std::string> runs_as_in_paper(const SweepFile& sweep, const SweepRequest& asked,
                                       const Scope& scope) {
  const std::vector<std::string> seeds(scope.seeds.begin(), scope.seeds.end());
  std::set<std::string> ids;
  try {
    expand(sweep,
           {std::string(kPaperScale),
            {std::string(kRoles.seed) + "=[" + lcsm::joined(seeds) + "]"},
            asked.workspace},
           [&](const Point& point, const RunConfig&) { ids.insert(point.id); });
  } catch (const std::exception&) {
    return {};
  }
  return ids;
}

void compare_with_paper(const SweepFile& sweep, const SweepRequest& asked, Scope* scope) {
  if (!sweep.paper.empty()) scope->as_paper = runs_as_in_paper(sweep, asked, *scope);
}

void print_runs_left_out(const Scope& scope, const SweepFile& sweep) {
  if (scope.former > 0)
    fmt::print(stderr,
               "{} of {} shown though not in the current file: from an earlier version of it, "
               "or from --set\n",
               counted(scope.former, "run"), sweep.name);
  if (scope.of_others)
    fmt::print(stderr,
               "scale {} of {} shown: other sweeps trained its points; select another with "
               "--scale\n",
               scope.scale, sweep.name);
  if (scope.left_out == 0) return;
  const std::string in = sweep.scales.empty() ? "" : "scale " + scope.scale + " of ";
  fmt::print(stderr, "{} of {} left out: not in {}the current file; select others with {}--set\n",
             counted(scope.left_out, "run"), sweep.name, in,
             sweep.scales.empty() ? "" : "--scale and ");
}

// Accepts a name without a file if runs have it: their file may be elsewhere.
void require_runs_of(const results::Database& database, const std::string& sweep) {
  std::vector<std::string> names = results::sweeps_with_runs(database);
  if (sweep.empty() || std::find(names.begin(), names.end(), sweep) != names.end()) return;
  for (const SweepText& known : known_sweeps()) names.push_back(known.name);
  throw std::invalid_argument(
      "expected a sweep, its file or the sweep of some runs, got '" + sweep + "'" +
      lcsm::did_you_mean(sweep, names, "; `lcsm sweeps` lists them, and file names end in .toml"));
}

TrainedRuns trained_runs(const results::Database& database, const std::string& sweep) {
  return {results::existing_runs(database, "", {}), results::runs_of_sweep(database, sweep)};
}

}  // namespace

Scope scope_of(const SweepFile& sweep, const SweepRequest& asked, const TrainedRuns& trained) {
  const std::string paper(kPaperScale);
  const auto at = [&](const std::string& scale, const std::vector<std::string>& settings) {
    return points_of(sweep, {scale, settings, asked.workspace}, trained);
  };
  if (!asked.scale.empty() || !asked.settings.empty())
    return at(asked.scale.empty() ? paper : asked.scale, asked.settings).scope;
  if (trained.all.empty()) return at(paper, {}).scope;
  Points most;
  for (const std::string& scale : sweep.scale_names()) {
    Points points = at(scale, {});
    points.scope.scale = scale;
    if (std::tie(points.started, points.there) > std::tie(most.started, most.there))
      most = std::move(points);
    if (most.started > 0 && most.started == trained.started.size()) break;
  }
  if (most.there == 0 && trained.started.empty()) return at(paper, {}).scope;
  most.scope.of_others = most.there > 0 && most.started == 0 && most.scope.scale != paper;
  (most.there > 0 ? most.scope.left_out : most.scope.former) =
      trained.started.size() - most.started;
  return std::move(most.scope);
}

SweepViews find_views(const std::string& sweep, const SweepRequest& asked,
                      results::Database& database, Scope* scope) {
  if (sweep.empty() || (!sweep.ends_with(".toml") && !is_known_sweep(sweep))) {
    if (!asked.scale.empty() || !asked.settings.empty())
      throw std::invalid_argument(
          "--scale and --set need a sweep file: expected one of "
          "`lcsm sweeps`, or a .toml file, got '" +
          sweep + "'");
    require_runs_of(database, sweep);
    Scope all;
    all.as_paper.emplace();  // without the sweep's file nothing says what the paper did
    all.expected = metrics_of(tasks_in(database));
    SweepViews views;
    views.sweep = sweep;
    views.tables.push_back({{.sweep = sweep, .scope = all}});
    *scope = std::move(all);
    return views;
  }
  const SweepFile file = chosen_sweep({sweep, asked});
  Scope found;
  try {
    found = scope_of(file, asked, trained_runs(database, file.name));
  } catch (const std::exception& error) {
    // The requested points must resolve; missing runs that a table would only mark need not.
    if (!asked.scale.empty() || !asked.settings.empty()) throw;
    print_safe(
        fmt::format("the points of {} are unknown, so all runs that it started are shown and "
                    "missing ones are not: {}\n",
                    file.name, error.what()));
  }
  compare_with_paper(file, asked, &found);
  print_runs_left_out(found, file);
  found.names = file.views.names;
  SweepViews views = views_in(file, found);
  *scope = std::move(found);
  return views;
}

results::LabelOrder order_of(const std::vector<Axis>& axes) {
  results::LabelOrder order;
  for (const Axis& axis : axes)
    for (const std::vector<Assignment>& step : axis.steps)
      for (const Assignment& each : step) {
        const std::string value = value_text(*each.value);
        auto& values = order[key_name(each.key)];
        if (std::find(values.begin(), values.end(), value) == values.end()) values.push_back(value);
      }
  return order;
}

SweepViews views_over(const SweepFile& sweep, const SweepRequest& asked,
                      const std::vector<Axis>& axes, const std::vector<results::NamedRun>& points,
                      results::Database& database) {
  const TrainedRuns trained = trained_runs(database, sweep.name);
  Points all;
  for (const results::NamedRun& point : points) {
    const auto parameters = [&] { return point.parameters; };
    add_point(point.id, point.model, trained, parameters, &all);
    if (const auto seed = point.parameters.find(std::string(kRoles.seed));
        seed != point.parameters.end())
      all.scope.seeds.insert(std::to_string(std::get<std::int64_t>(seed->second)));
    const auto task = point.parameters.find(std::string(kRoles.task));
    if (const TaskRow* row = task_row(std::get<std::string>(task->second)); row != nullptr)
      all.tasks.insert(row->name);
  }
  all.scope.expected = metrics_of(all.tasks);
  all.scope.order = order_of(axes);
  compare_with_paper(sweep, asked, &all.scope);
  all.scope.names = sweep.views.names;
  return views_in(sweep, all.scope);
}

}  // namespace runner
