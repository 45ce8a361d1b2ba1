#include "runner/sweeps/plan/run_choice.h"

#include <algorithm>
#include <functional>
#include <map>
#include <set>
#include <stdexcept>

#include "lcsm/base/words.h"
#include "results/events/run_folder.h"
#include "results/store/run_facts.h"
#include "runner/config/keys/roles.h"
#include "runner/config/run/run_id.h"
#include "runner/config/run/run_line.h"
#include "runner/data/tasks/data_search.h"
#include "runner/sweeps/language/choice.h"
#include "runner/sweeps/language/points.h"
#include "runner/sweeps/language/search.h"
#include "runner/sweeps/plan/run_values.h"
#include "runner/sweeps/plan/running_sweep.h"

namespace runner {
namespace {

namespace fs = std::filesystem;

constexpr std::size_t kAllDigits = 32;

bool may_be_an_id(const std::string& word) {
  return !word.empty() && word.size() <= kAllDigits &&
         word.find_first_not_of("0123456789abcdef") == std::string::npos;
}

std::set<std::string> ids_with(const std::string& start, const RunStates& states,
                               const fs::path& workspace) {
  std::set<std::string> ids;
  for (const auto& [id, state] : states)
    if (id.starts_with(start)) ids.insert(id);
  for (const std::string& id : results::run_ids(workspace))
    if (id.starts_with(start)) ids.insert(id);
  return ids;
}

using Wanted = std::function<bool(const Point& point, const RunConfig& config)>;
using Points = std::map<std::string, FoundRun>;  // by id

// A sweep that cannot be expanded has no points; with `must`, throws.
void add_points(const SweepFile& sweep, const SweepRequest& request, bool must,
                const Wanted& wanted, Points* found) {
  std::vector<Point> points;
  try {
    const Expansion expansion =
        expand(sweep, request, [&](const Point& point, const RunConfig& config) {
          if (wanted(point, config)) points.push_back(point);
        });
    for (const Point& point : points)
      found->try_emplace(point.id, FoundRun{point.id, sweep.name, request.scale,
                                            describe_point(expansion.axes, point.steps)});
  } catch (const DataMissing&) {
    if (must) throw;
  } catch (const std::invalid_argument&) {
    if (must) throw;
  }
}

void add_points(const SweepText& text, const std::vector<std::string>& scales,
                const std::vector<std::string>& settings, const fs::path& workspace,
                const Wanted& wanted, Points* found) {
  try {
    const SweepFile sweep = read_sweep(text, find_sweep, [](const std::string&) {});
    for (const std::string& scale : scales.empty() ? sweep.scale_names() : scales)
      add_points(sweep, {scale, settings, workspace}, false, wanted, found);
  } catch (const std::invalid_argument&) {
    return;  // a file with mistakes, which `lcsm sweeps` reports
  }
}

// Adds the points of the workspace's current or last sweep.
void add_last_points(const fs::path& workspace, const Wanted& wanted, Points* found) {
  const auto last = read_running(workspace);
  if (!last) return;
  const SweepRequest& request = last->choice.request;
  try {
    add_points(find_sweep(last->choice.name), {request.scale}, request.settings, workspace, wanted,
               found);
  } catch (const std::runtime_error&) {
    // the file no longer exists
  }
}

// Finds points in the last sweep and in all sweeps known by name; for a complete id, in the first
// sweep that has it.
Points points_with(const std::string& start, const fs::path& workspace) {
  Points found;
  const auto wanted = [&](const Point& point, const RunConfig&) {
    return point.id.starts_with(start);
  };
  add_last_points(workspace, wanted, &found);
  for (const SweepText& known : known_sweeps()) {
    if (start.size() == kAllDigits && !found.empty()) break;
    add_points(known, {}, {}, workspace, wanted, &found);
  }
  return found;
}

// The names that the files of these runs' sweeps give to models that were stored under another
// name, as after renaming a gate.
results::ModelNames names_of_now(results::Database& database, const fs::path& workspace) {
  const std::set<std::string> stored = results::existing_runs(database, "", {});
  results::ModelNames names;
  Points none;
  const Wanted note = [&](const Point& point, const RunConfig& config) {
    const std::string label = model_label(config);
    if (!label.empty() && stored.contains(point.id)) names[point.id] = label;
    return false;
  };
  add_last_points(workspace, note, &none);
  const std::vector<std::string> sweeps = results::sweeps_with_runs(database);
  for (const SweepText& known : known_sweeps())
    if (lcsm::has_word(sweeps, known.name)) add_points(known, {}, {}, workspace, note, &none);
  return names;
}

// The runs of the database with these values; if there are none, by the present names of models.
std::vector<std::string> runs_with(const RunValues& values, results::Database& database,
                                   const RunStates& states, const fs::path& workspace) {
  std::vector<std::string> ids = runs_with(database, states, values);
  if (ids.empty() && std::any_of(values.begin(), values.end(),
                                 [](const auto& one) { return one.first == kRoles.models[0]; }))
    ids = runs_with(database, states, values, names_of_now(database, workspace));
  return ids.empty() ? runs_with(database, states, with_sizes_apart(values)) : ids;
}

// Runs of the database, and points of the last sweep that have no row there.
Points runs_or_points_with(const RunValues& values, results::Database& database,
                           const RunStates& states, const fs::path& workspace) {
  Points found;
  for (const std::string& id : runs_with(values, database, states, workspace))
    found[id] = FoundRun{id, "", "", ""};
  const auto last = read_running(workspace);
  if (!last) return found;
  const std::string sweep = fs::path(last->choice.name).stem().string();
  const RunValues apart = with_sizes_apart(values);
  add_last_points(
      workspace,
      [&](const Point& point, const RunConfig& config) {
        const results::Values parameters = parameter_values(config);
        const results::RunState state = state_of(states, point.id);
        return point_has(database, parameters, sweep, state, values) ||
               point_has(database, parameters, sweep, state, apart);
      },
      &found);
  return found;
}

FoundRun only_one(const std::string& word, const Points& found, const RunValues& values,
                  results::Database& database, const RunStates& states) {
  if (found.size() == 1) return found.begin()->second;
  if (found.empty()) throw std::invalid_argument(none_with(database, states, values));
  std::vector<std::string> ids;
  for (const auto& [id, run] : found) ids.push_back(id);
  const std::string differences = differences_of(database, ids);
  throw std::invalid_argument("expected one run, got '" + word + "', which matches " +
                              std::to_string(ids.size()) + " runs: " +
                              (differences.empty()
                                   ? "name one by its id, such as " + ids[0].substr(0, 8)
                                   : "add a value that tells them apart: " + differences));
}

// Throws if the word means one point, which has not been started.
void refuse_new(const std::string& word, const Points& points) {
  if (points.size() != 1) return;
  const FoundRun& point = points.begin()->second;
  throw std::invalid_argument("expected a run that has been started, got '" + word +
                              "', which is " + point.name + " of " + point.sweep +
                              ": see `lcsm why " + point.id.substr(0, 8) + "`");
}

std::string find_by_id(results::Database& database, const fs::path& workspace,
                       const std::string& word) try {
  return results::find_run(database, word);
} catch (const std::invalid_argument&) {
  const RunStates states = run_states(database, workspace);
  if (may_be_an_id(word) && ids_with(word, states, workspace).empty())
    refuse_new(word, points_with(word, workspace));
  throw;
}

ChosenRuns runs_of_sweep(const std::string& word, const RunChoice& choice, const RunStates& states,
                         const fs::path& workspace) {
  const SweepFile sweep = chosen_sweep({word, {}});
  ChosenRuns chosen{word, true, {}};
  const bool all = choice.scale.empty();
  const std::vector<std::string> scales =
      all ? sweep.scale_names() : std::vector<std::string>{choice.scale};
  std::set<std::string> seen;
  const auto choose_at = [&](const std::string& scale, bool must) {
    Points points;
    std::vector<std::string> order;
    add_points(
        sweep, {scale, choice.settings, workspace}, must,
        [&](const Point& point, const RunConfig&) {
          order.push_back(point.id);
          return true;
        },
        &points);
    for (const std::string& id : order)
      if (points.contains(id) && seen.insert(id).second)
        chosen.runs.push_back({id, points.at(id).name, state_of(states, id)});
  };
  for (const std::string& scale : scales) choose_at(scale, !all);
  if (seen.empty()) choose_at(scales[0], true);  // throws the reason
  return chosen;
}

ChosenRuns runs_of_values(const std::string& word, const RunValues& values,
                          results::Database& database, const RunStates& states,
                          const fs::path& workspace) {
  ChosenRuns chosen{word, true, {}};
  for (const auto& [id, run] : runs_or_points_with(values, database, states, workspace))
    chosen.runs.push_back({id, run.name, state_of(states, id)});
  if (chosen.runs.empty()) throw std::invalid_argument(none_with(database, states, values));
  return chosen;
}

// True for the name of a sweep whose file is elsewhere, or gone, but whose runs are here.
bool has_only_runs(const std::string& word, const RunChoice& choice, results::Database& database) {
  return choice.scale.empty() && choice.settings.empty() && !is_known_sweep(word) &&
         lcsm::has_word(results::sweeps_with_runs(database), word);
}

}  // namespace

std::string find_run(results::Database& database, const fs::path& workspace,
                     const std::string& word) {
  if (!has_run_values(word)) return find_by_id(database, workspace, word);
  const RunStates states = run_states(database, workspace);
  const RunValues values = run_values(word);
  Points found;
  for (const std::string& id : runs_with(values, database, states, workspace))
    found[id] = {id, "", "", ""};
  if (found.empty()) refuse_new(word, runs_or_points_with(values, database, states, workspace));
  return only_one(word, found, values, database, states).id;
}

FoundRun find_run_or_point(const std::string& word, results::Database& database,
                           const RunStates& states, const fs::path& workspace) {
  if (has_run_values(word)) {
    const RunValues values = run_values(word);
    return only_one(word, runs_or_points_with(values, database, states, workspace), values,
                    database, states);
  }
  const bool id = may_be_an_id(word);
  const auto ids = id ? ids_with(word, states, workspace) : std::set<std::string>();
  const auto points = id && ids.empty() ? points_with(word, workspace) : Points();
  if (ids.size() == 1) return {*ids.begin(), "", "", ""};
  if (results::is_run_id(word) && points.empty()) return {word, "", "", ""};
  if (points.size() == 1) return points.begin()->second;
  if (ids.size() + points.size() == 0)
    throw std::invalid_argument(
        "expected the first digits of a run's id, or its values "
        "('model.code=1-3-1-2, seed=1'), got '" +
        word + "': `lcsm plan SWEEP` lists a sweep's runs");
  const std::string first = ids.empty() ? points.begin()->first : *ids.begin();
  const std::string last = ids.empty() ? points.rbegin()->first : *ids.rbegin();
  throw std::invalid_argument("expected the first digits of one run's id, got '" + word +
                              "', which matches " + first + " and " + last +
                              (ids.empty() ? ", neither of them started" : ""));
}

std::vector<ChosenRuns> chosen_runs(const RunChoice& choice, results::Database& database,
                                    const RunStates& states, const fs::path& workspace) {
  std::vector<ChosenRuns> all;
  for (const std::string& word : choice.words) {
    if (has_run_values(word)) {
      all.push_back(runs_of_values(word, run_values(word), database, states, workspace));
    } else if (has_only_runs(word, choice, database)) {
      all.push_back(runs_of_values(word, {{"sweep", word}}, database, states, workspace));
    } else if (may_be_an_id(word) && !is_known_sweep(word)) {
      const FoundRun found = find_run_or_point(word, database, states, workspace);
      all.push_back({word, false, {{found.id, found.name, state_of(states, found.id)}}});
    } else {
      all.push_back(runs_of_sweep(word, choice, states, workspace));
    }
  }
  return all;
}

}  // namespace runner
