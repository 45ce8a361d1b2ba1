#include "results/tables/table_defaults.h"

#include <algorithm>
#include <iterator>
#include <unordered_map>
#include <utility>

#include "lcsm/base/words.h"
#include "results/events/metric.h"
#include "results/tables/table_steps.h"
#include "results/text/number_text.h"

namespace results {
namespace {

// True if all runs have this parameter, and its values are names: a code, a model, a task.
bool names_something(const std::vector<TableRun>& runs, const std::string& key) {
  return std::none_of(runs.begin(), runs.end(), [&](const TableRun& run) {
    const std::string& value = parameter(run, key);
    return value.empty() || number_in(value).has_value();
  });
}

// True if runs with equal values of `key` have equal values of `other`.
bool settles(const std::vector<TableRun>& runs, const std::string& key, const std::string& other) {
  std::unordered_map<std::string_view, std::string_view> settled;
  return std::all_of(runs.begin(), runs.end(), [&](const TableRun& run) {
    const std::string& value = parameter(run, other);
    return settled.try_emplace(parameter(run, key), value).first->second == value;
  });
}

bool some_lack(const std::vector<TableRun>& runs, const std::string& key) {
  return std::any_of(runs.begin(), runs.end(),
                     [&](const TableRun& run) { return parameter(run, key).empty(); });
}

// A list or an object as JSON: a custom oscillation.
bool is_structured(const std::string& value) {
  return value.starts_with('{') || value.starts_with('[');
}
bool is_structured(const std::vector<TableRun>& runs, const std::string& key) {
  return std::any_of(runs.begin(), runs.end(),
                     [&](const TableRun& run) { return is_structured(parameter(run, key)); });
}

// A parameter that only some runs have, or that is no label, does not distinguish rows if a name
// determines it: a code determines its custom gate, a model its parts. Nor does a second name of
// the model if the first one determines it. Names in `columns` determine parameters, too.
void drop_what_follows(const std::vector<TableRun>& runs, const Roles& roles,
                       const std::vector<std::string>& columns, std::vector<std::string>* keys) {
  std::vector<std::string> names;
  for (const std::vector<std::string>* shown : {&columns, &std::as_const(*keys)})
    for (const std::string& key : *shown)
      if (names_something(runs, key) && !is_structured(runs, key)) names.push_back(key);
  const std::string model(roles.models.front());
  const bool has_model = lcsm::has_word(*keys, model) || lcsm::has_word(columns, model);
  std::erase_if(*keys, [&](const std::string& key) {
    if (has_model && key != model && has_role(roles.models, key) && settles(runs, model, key))
      return true;
    return (some_lack(runs, key) || is_structured(runs, key)) &&
           std::any_of(names.begin(), names.end(),
                       [&](const std::string& name) { return settles(runs, name, key); });
  });
}

bool is_named(const std::vector<std::string>& keys, std::string_view key) {
  return std::any_of(keys.begin(), keys.end(), [&](const std::string& one) {
    return one == key || (one.starts_with(kEvaluatedSign) && one.substr(1) == key);
  });
}

bool is_shown(const TableSpec& spec, const std::string& key) {
  return lcsm::has_word(spec.rows, key) || lcsm::has_word(spec.columns, key);
}

void fill_in_tuned(const TableRuns& runs, const std::vector<std::string>& metrics,
                   TableSpec* spec) {
  const std::string rate(runs.roles.rate);
  if (spec->tuned.empty() && spec->tune_rate && runs.varying.contains(rate) &&
      !is_shown(*spec, rate))
    spec->tuned = {rate};
  if (!spec->tuned.empty() && spec->by.empty())
    for (const std::vector<std::string>* names : {&std::as_const(spec->values), &metrics})
      for (const std::string& name : *names)
        if (spec->by.empty() && name.starts_with("valid.")) spec->by = name;
  if (spec->by.empty()) spec->tuned.clear();
}

void fill_in_rows(const TableRuns& runs, TableSpec* spec) {
  std::vector<std::string> keys = spec->rows;
  for (const std::string& key : runs.varying)
    if (key != runs.roles.seed && !is_shown(*spec, key) && !lcsm::has_word(spec->tuned, key))
      keys.push_back(key);
  drop_what_follows(runs.runs, runs.roles, spec->columns, &keys);
  for (const std::string& key : keys)
    if (!lcsm::has_word(spec->rows, key)) spec->rows.push_back(key);
  const std::string model(runs.roles.models.front());
  if (spec->rows.empty())
    spec->rows = {is_shown(*spec, model) ? std::string(runs.roles.task) : model};
}

}  // namespace

KeysOfTask keys_to_agree_in(const TableRuns& runs, const TableSpec& spec) {
  const bool one_sweep = !spec.sweep.empty() && runs.roles.asks != nullptr;
  const auto shown = [&](std::string_view key) {
    return is_named(spec.rows, key) || is_named(spec.columns, key);
  };
  const bool models = std::any_of(runs.roles.models.begin(), runs.roles.models.end(), shown);
  std::set<std::string> keys;
  for (const std::string& key : runs.varying) {
    const bool meant = key == runs.roles.seed || key == kSweepKey || shown(key) ||
                       (models && has_role(runs.roles.models, key)) || is_named(spec.tuned, key) ||
                       lcsm::has_word(spec.across, key);
    if (!meant && (!one_sweep || runs.roles.asks(key))) keys.insert(key);
  }
  KeysOfTask of_task;
  for (const TableRun& run : runs.runs)
    std::erase_if(of_task.try_emplace(parameter(run, runs.roles.task), keys).first->second,
                  [&](const std::string& key) {
                    return !run.parameters.contains(key) || is_structured(parameter(run, key));
                  });
  return of_task;
}

void fill_in(const TableRuns& runs, const std::vector<std::string>& metrics, TableSpec* spec) {
  const bool all_values = spec->values.empty();
  if (all_values) std::ranges::copy_if(metrics, std::back_inserter(spec->values), is_of_a_split);
  fill_in_tuned(runs, metrics, spec);
  if (all_values && !spec->tuned.empty() && !evaluated_key(*spec).empty())
    std::erase(spec->values, spec->by);  // of the training alone
  if (spec->rows.empty() || spec->more_rows) fill_in_rows(runs, spec);
}

}  // namespace results
