#include "results/tables/table_defaults.h"

#include <algorithm>
#include <unordered_map>
#include <utility>

#include "results/text/number_text.h"

namespace results {
namespace {

constexpr const char* kRate = "optim.lr";

bool has(const std::vector<std::string>& keys, const std::string& key) {
  return std::find(keys.begin(), keys.end(), key) != keys.end();
}

std::string_view value_of(const TableRun& run, const std::string& key) {
  const auto at = run.parameters.find(key);
  return at == run.parameters.end() ? std::string_view() : at->second;
}

// A parameter that all have, and that names something in each: a code, a model, a task.
bool names_something(const std::vector<TableRun>& runs, const std::string& key) {
  return std::none_of(runs.begin(), runs.end(), [&](const TableRun& run) {
    const std::string_view value = value_of(run, key);
    return value.empty() || number_in(value).has_value();
  });
}

// Whether runs with the same value of `key` have the same value of `other`.
bool settles(const std::vector<TableRun>& runs, const std::string& key, const std::string& other) {
  std::unordered_map<std::string_view, std::string_view> settled;
  return std::all_of(runs.begin(), runs.end(), [&](const TableRun& run) {
    const std::string_view value = value_of(run, other);
    return settled.try_emplace(value_of(run, key), value).first->second == value;
  });
}

bool some_lack(const std::vector<TableRun>& runs, const std::string& key) {
  return std::any_of(runs.begin(), runs.end(),
                     [&](const TableRun& run) { return value_of(run, key).empty(); });
}

// A gate of the user's own goes with its code, a part of a model with the model that has it: a
// parameter that only some runs have tells no rows apart where such a name settles it.
void drop_what_follows(const std::vector<TableRun>& runs, std::vector<std::string>* keys) {
  std::vector<std::string> names;
  for (const std::string& key : *keys)
    if (names_something(runs, key)) names.push_back(key);
  std::erase_if(*keys, [&](const std::string& key) {
    return some_lack(runs, key) &&
           std::any_of(names.begin(), names.end(),
                       [&](const std::string& name) { return settles(runs, name, key); });
  });
}

}  // namespace

void fill_in(const TableRuns& runs, const std::vector<std::string>& metrics, TableSpec* spec) {
  const auto asked_elsewhere = [&](const std::string& key) {
    return has(spec->rows, key) || has(spec->columns, key);
  };
  if (spec->values.empty())
    for (const std::string& metric : metrics)
      if (metric.starts_with("valid.") || metric.starts_with("test."))
        spec->values.push_back(metric);
  if (spec->tuned.empty() && runs.varying.contains(kRate) && !asked_elsewhere(kRate))
    spec->tuned = {kRate};
  if (!spec->tuned.empty() && spec->by.empty())
    for (const std::vector<std::string>* names : {&std::as_const(spec->values), &metrics})
      for (const std::string& name : *names)
        if (spec->by.empty() && name.starts_with("valid.")) spec->by = name;
  if (spec->by.empty()) spec->tuned.clear();
  if (!spec->rows.empty()) return;
  for (const std::string& key : runs.varying)
    if (key != kSeed && !asked_elsewhere(key) && !has(spec->tuned, key)) spec->rows.push_back(key);
  drop_what_follows(runs.runs, &spec->rows);
  if (spec->rows.empty()) spec->rows = {"model.code"};
}

}  // namespace results
