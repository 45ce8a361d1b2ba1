// Decides which runs a cell averages, and its marks.
#include <algorithm>
#include <cmath>
#include <limits>
#include <optional>
#include <set>
#include <tuple>
#include <utility>

#include "lcsm/base/words.h"
#include "results/events/metric.h"
#include "results/tables/table_steps.h"
#include "results/text/number_text.h"

namespace results {
namespace {

using Runs = std::vector<const TableRun*>;

// A run that is not done has a mark.
static_assert(std::ranges::all_of(kRunStates, [](const RunStateRow& row) {
  return row.state == RunState::kDone || stored_state(row.stored) != row.state ||
         std::ranges::any_of(kMarks, [&](const MarkRow& mark) { return mark.sign == row.sign; });
}));

std::optional<double> value_of(const TableRun& run, const std::string& value) {
  const auto found = run.values.find(value);
  if (found == run.values.end() || std::isnan(found->second)) return std::nullopt;
  return found->second;
}

// The rank of a candidate: the number of seeds that are done, then the mean, then the number of
// runs that exist. Greater is better.
std::tuple<std::int64_t, double, std::int64_t> merit(const Runs& runs, const std::string& by) {
  std::vector<double> values;
  std::int64_t there = 0;
  for (const TableRun* run : runs) {
    there += run->state != RunState::kNew;
    if (const auto value = value_of(*run, by); value && run->state == RunState::kDone)
      values.push_back(*value);
  }
  if (values.empty()) return {0, -std::numeric_limits<double>::infinity(), there};
  const double mean = statistics_of(values).mean;
  return {std::ssize(values), lower_is_better(parse_value(by).metric) ? -mean : mean, there};
}

bool exists(const Runs& runs) {
  return std::any_of(runs.begin(), runs.end(),
                     [](const TableRun* run) { return run->state != RunState::kNew; });
}

// True if runs that are missing, failed or have not ended may change the choice. Divergence is a
// result of the candidate.
bool may_still_win(const Runs& runs) {
  return std::any_of(runs.begin(), runs.end(), [](const TableRun* run) {
    return run->state != RunState::kDone && run->state != RunState::kDiverged;
  });
}

// True if a tuned parameter's chosen value is the smallest or largest of several.
bool at_edge(const Runs& all, const Runs& chosen, const std::vector<std::string>& tuned) {
  return std::any_of(tuned.begin(), tuned.end(), [&](const std::string& key) {
    std::set<double> tried;
    for (const TableRun* run : all)
      if (const auto value = number_in(parameter(*run, key))) tried.insert(*value);
    const auto best = number_in(parameter(*chosen.front(), key));
    return tried.size() > 1 && best && (*best == *tried.begin() || *best == *tried.rbegin());
  });
}

std::size_t distinct(const Runs& runs, std::string_view key) {
  std::set<std::string> values;
  for (const TableRun* run : runs) values.insert(parameter(*run, key));
  return values.size();
}

// A run of an older version lacks keys that were added since, so only values that exist can differ.
bool differs(const Runs& runs, std::string_view key) {
  std::set<std::string> values;
  for (const TableRun* run : runs)
    if (const auto at = run->parameters.find(std::string(key)); at != run->parameters.end())
      values.insert(at->second);
  return values.size() > 1;
}

// The parameters, besides those that the table is about, in which the runs differ.
std::vector<std::string> differing_elsewhere(const Runs& runs, const TableRuns& all,
                                             const TableSpec& spec) {
  std::vector<std::string> keys;
  for (const std::string& key : all.varying) {
    const bool meant = key == all.roles.seed || has_role(all.roles.budgets, key) ||
                       lcsm::has_word(spec.rows, key) || lcsm::has_word(spec.columns, key) ||
                       lcsm::has_word(spec.tuned, key);
    if (!meant && differs(runs, key)) keys.push_back(key);
  }
  return keys;
}

std::set<Mark> marks_of_states(const Runs& runs) {
  std::set<Mark> marks;
  for (const TableRun* run : runs)
    for (const MarkRow& row : kMarks)
      if (row.sign == row_of(run->state).sign) marks.insert(row.mark);
  return marks;
}

bool differs_in_budget(const Runs& runs, const Roles& roles) {
  return std::any_of(roles.budgets.begin(), roles.budgets.end(),
                     [&](std::string_view key) { return distinct(runs, key) > 1; });
}

bool is_short(const TableRun& run, const Roles& roles) {
  const auto wanted = number_in(parameter(run, roles.steps));
  return run.state == RunState::kDone && wanted && static_cast<double>(run.steps) < *wanted;
}

}  // namespace

const std::string& chosen_by(const TableRun& run, const TableRuns& all, const TableSpec& spec) {
  const auto own = all.by_of.find(parameter(run, all.roles.task));
  return own == all.by_of.end() ? spec.by : own->second;
}

RunGroup choose_group(const Runs& runs, const TableRuns& all, const TableSpec& spec) {
  const std::string& by = chosen_by(*runs.front(), all, spec);
  std::map<std::vector<std::string>, Runs> candidates;
  for (const TableRun* run : runs) {
    std::vector<std::string> values;
    for (const std::string& key : spec.tuned) values.push_back(parameter(*run, key));
    candidates[values].push_back(run);
  }
  const Runs* best = nullptr;
  for (const auto& [values, of_values] : candidates)
    if (best == nullptr || (candidates.size() > 1 && merit(of_values, by) > merit(*best, by)))
      best = &of_values;
  const bool chosen = candidates.size() == 1 || exists(*best);
  RunGroup group{*best, "", chosen && at_edge(runs, *best, spec.tuned), false};
  for (const auto& [values, of_values] : candidates)
    group.pending = group.pending || (chosen && &of_values != best && may_still_win(of_values));
  if (chosen)
    group.chosen = lcsm::joined_of(spec.tuned, [&](const std::string& key) {
      return key + "=" + parameter(*best->front(), key);
    });
  std::sort(group.runs.begin(), group.runs.end(), [&](const TableRun* a, const TableRun* b) {
    const std::string& first = parameter(*a, all.roles.seed);
    const std::string& second = parameter(*b, all.roles.seed);
    return first == second ? a->id < b->id : natural_less(first, second);
  });
  return group;
}

namespace {

std::string values_of(const Runs& runs, std::string_view key) {
  std::set<std::string> values;
  for (const TableRun* run : runs) values.insert(parameter(*run, key));
  return lcsm::joined({values.begin(), values.end()});
}

std::map<std::string, std::string> setting_of(const Runs& runs, const TableRuns& all) {
  std::map<std::string, std::set<std::string>> values;
  for (const TableRun* run : runs)
    for (const std::string& key : all.agree.at(parameter(*run, all.roles.task)))
      values[key].insert(parameter(*run, key));
  std::map<std::string, std::string> setting;
  for (const auto& [key, of_key] : values)
    setting[key] = lcsm::joined({of_key.begin(), of_key.end()});
  return setting;
}

// The parameters a run was evaluated with: its own, overridden by a later evaluation's. They
// include the sizes of its splits, unless the evaluation is of another task.
Parameters evaluated_with(const TableRun& run, const Reduction& value, const Roles& roles) {
  Parameters all = run.parameters;
  for (const auto& [key, text] : run.parameters) {
    if (!key.starts_with(kEvaluatedSign)) continue;
    if (const auto own = all.find(key.substr(1)); own != all.end()) own->second = text;
  }
  if (value.how == Reduction::How::kEvaluated)
    for (const std::string& setting : lcsm::words_of(value.other))
      if (const std::size_t at = setting.find('='); at != std::string::npos)
        all[setting.substr(0, at)] = setting.substr(at + 1);
  const auto task = all.find(roles.task);
  if (task == all.end() || task->second == parameter(run, roles.task))
    all.insert(run.sizes.begin(), run.sizes.end());
  return all;
}

// The fewest examples that a run's metric was evaluated on; 0: not known.
double examples_of(const Runs& runs, const Reduction& value, const Roles& roles) {
  if (roles.examples == nullptr) return 0;
  const std::string split = value.metric.substr(0, value.metric.find('.'));
  double fewest = std::numeric_limits<double>::infinity();
  for (const TableRun* run : runs)
    fewest = std::min(
        fewest, static_cast<double>(roles.examples(split, evaluated_with(*run, value, roles))));
  return std::isfinite(fewest) ? fewest : 0;
}

// The values that the runs of a cell report, and the marks that they give the cell.
struct Reported {
  std::vector<Sample> samples;
  std::vector<double> values, sizes;
  std::set<std::string> texts, programs, machines;
  std::set<Mark> marks;
};

Reported reported_by(const Runs& runs, const std::string& value, const Roles& roles) {
  const bool any_done = std::any_of(
      runs.begin(), runs.end(), [](const TableRun* run) { return run->state == RunState::kDone; });
  Reported all;
  for (const TableRun* run : runs) {
    // A run that is not done counts only if no run is, and never if it ended without a result.
    const bool counts = run->state == RunState::kDone ||
                        (!any_done && run->state != RunState::kNew && !has_failed(run->state));
    const std::optional<double> found = counts ? value_of(*run, value) : std::nullopt;
    all.samples.push_back({run->id, parameter(*run, roles.seed), run->state, run->commit, found});
    const auto said = run->texts.find(value);
    const bool text = counts && said != run->texts.end();
    if (text) all.texts.insert(said->second);
    if (found) {
      all.values.push_back(*found);
      all.programs.insert(program_of(*run));
      all.machines.insert(run->machine);
      for (const EarlierAttempt& attempt : run->earlier) {
        all.programs.insert(attempt.program);
        if (parse_value(value).metric == kSeconds) all.machines.insert(attempt.machine);
      }
    }
    if (!std::isnan(run->params)) all.sizes.push_back(run->params);
    if (counts && !found && !text) all.marks.insert(Mark::kPartly);
    if (is_short(*run, roles)) all.marks.insert(Mark::kShort);
  }
  if (all.programs.size() > 1) all.marks.insert(Mark::kVersions);
  if (all.machines.size() > 1 && is_of_a_machine(value)) {
    all.marks.insert(Mark::kMachines);
    all.values.clear();
  }
  return all;
}

std::set<Mark> marks_of(const RunGroup& group, const TableRuns& all) {
  std::set<Mark> marks = marks_of_states(group.runs);
  if (distinct(group.runs, all.roles.seed) < all.seeds) marks.insert(Mark::kMissing);
  if (group.edge) marks.insert(Mark::kEdge);
  if (group.pending) marks.insert(Mark::kPending);
  if (differs_in_budget(group.runs, all.roles)) marks.insert(Mark::kBudgets);
  return marks;
}

}  // namespace

TableCell make_cell(const RunGroup& group, const std::string& value, const TableRuns& all,
                    const TableSpec& spec) {
  Reported reported = reported_by(group.runs, value, all.roles);
  TableCell cell;
  cell.chosen = group.chosen;
  cell.setting = setting_of(group.runs, all);
  cell.task = values_of(group.runs, all.roles.task);
  const Reduction reduction = parse_value(value);
  cell.scale = scale_of(reduction.metric, examples_of(group.runs, reduction, all.roles));
  cell.params = statistics_of(reported.sizes).mean;
  if (reported.machines.size() == 1) cell.machine = *reported.machines.begin();
  cell.statistics = statistics_of(reported.values, cell.scale);
  cell.strata = {reported.values};
  cell.text = lcsm::joined({reported.texts.begin(), reported.texts.end()});
  cell.programs = std::move(reported.programs);
  cell.samples = std::move(reported.samples);
  cell.mixed = differing_elsewhere(group.runs, all, spec);
  std::set<Mark> marks = marks_of(group, all);
  marks.merge(reported.marks);
  if (!cell.mixed.empty() || distinct(group.runs, all.roles.seed) < group.runs.size())
    marks.insert(Mark::kMixed);
  cell.marks.assign(marks.begin(), marks.end());
  return cell;
}

}  // namespace results
