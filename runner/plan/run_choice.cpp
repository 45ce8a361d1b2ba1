#include "runner/plan/run_choice.h"

#include <algorithm>
#include <map>
#include <set>
#include <stdexcept>

#include "results/events/run_folder.h"
#include "runner/plan/running_sweep.h"
#include "runner/sweeps/choice.h"
#include "runner/sweeps/points.h"
#include "runner/sweeps/search.h"
#include "runner/tasks/data_search.h"

namespace runner {
namespace {

namespace fs = std::filesystem;

constexpr std::size_t kLeastDigits = 4;

bool may_be_an_id(const std::string& word) {
  return word.size() >= kLeastDigits && word.size() <= 32 &&
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

// A sweep that cannot be expanded has no runs.
void visit_points(
    const SweepFile& sweep, const SweepRequest& request, bool must,
    const std::function<void(const std::string& id, const std::string& name)>& visit) {
  std::vector<Point> points;
  try {
    const Expansion expansion = expand(
        sweep, request, [&](const Point& point, const RunConfig&) { points.push_back(point); });
    for (const Point& point : points) visit(point.id, describe_point(expansion.axes, point.steps));
  } catch (const DataMissing&) {
    if (must) throw;
  } catch (const std::invalid_argument&) {
    if (must) throw;
  }
}

// Of the current or last sweep of the workspace, and of all listed sweeps.
std::map<std::string, FoundRun> points_with(const std::string& start, const fs::path& workspace) {
  std::map<std::string, FoundRun> found;
  const auto look = [&](const SweepText& text, const std::vector<std::string>& scales,
                        const std::vector<std::string>& settings) {
    try {
      const SweepFile sweep = read_sweep(text, find_sweep, [](const std::string&) {});
      for (const std::string& scale : scales.empty() ? sweep.scale_names() : scales)
        visit_points(sweep, {scale, settings, workspace}, false,
                     [&](const std::string& id, const std::string& name) {
                       if (id.starts_with(start))
                         found.try_emplace(id, FoundRun{id, sweep.name, scale, name});
                     });
    } catch (const std::invalid_argument&) {
      return;  // a file with mistakes, which `lcsm sweeps` reports
    }
  };
  if (const auto last = read_running(workspace)) {
    const SweepRequest& request = last->choice.request;
    try {
      look(find_sweep(last->choice.name), {request.scale}, request.settings);
    } catch (const std::runtime_error&) {
      // the file no longer exists
    }
  }
  for (const KnownSweep& known : known_sweeps()) look(known.text, {}, {});
  return found;
}

ChosenRuns runs_of_sweep(const std::string& word, const RunChoice& choice, const RunStates& states,
                         const fs::path& workspace) {
  const SweepFile sweep = chosen_sweep({word, {}});
  ChosenRuns chosen{word, true, {}};
  std::set<std::string> seen;
  const bool all = choice.scale.empty();
  const std::vector<std::string> scales =
      all ? sweep.scale_names() : std::vector<std::string>{choice.scale};
  for (const std::string& scale : scales)
    visit_points(sweep, {scale, choice.settings, workspace}, !all,
                 [&](const std::string& id, const std::string& name) {
                   if (seen.insert(id).second)
                     chosen.runs.push_back({id, name, state_of(states, id)});
                 });
  return chosen;
}

}  // namespace

FoundRun find_run_or_point(const std::string& start, const RunStates& states,
                           const fs::path& workspace) {
  const auto ids =
      may_be_an_id(start) ? ids_with(start, states, workspace) : std::set<std::string>();
  const auto points = may_be_an_id(start) && ids.empty() ? points_with(start, workspace)
                                                         : std::map<std::string, FoundRun>();
  if (ids.size() == 1) return {*ids.begin(), "", "", ""};
  if (results::is_run_id(start) && points.empty()) return {start, "", "", ""};
  if (points.size() == 1) return points.begin()->second;
  if (ids.size() + points.size() == 0)
    throw std::invalid_argument("expected a run's id or at least its first 4 digits, got '" +
                                start + "': `lcsm plan SWEEP` lists those of a sweep");
  const std::string first = ids.empty() ? points.begin()->first : *ids.begin();
  const std::string last = ids.empty() ? points.rbegin()->first : *ids.rbegin();
  throw std::invalid_argument("expected the first digits of one run's id, got '" + start +
                              "', which matches " + first + " and " + last);
}

std::vector<ChosenRuns> chosen_runs(const RunChoice& choice, const RunStates& states,
                                    const fs::path& workspace) {
  std::vector<ChosenRuns> all;
  for (const std::string& word : choice.words) {
    if (may_be_an_id(word) && !is_known_sweep(word)) {
      const FoundRun found = find_run_or_point(word, states, workspace);
      all.push_back({word, false, {{found.id, found.name, state_of(states, found.id)}}});
    } else {
      all.push_back(runs_of_sweep(word, choice, states, workspace));
    }
  }
  return all;
}

}  // namespace runner
