#include "results/tables/table_names.h"

#include <algorithm>
#include <set>
#include <stdexcept>

#include "lcsm/base/nearest.h"
#include "lcsm/base/words.h"
#include "results/text/number_text.h"

namespace results {
namespace {

constexpr std::size_t kMostValues = 12;  // that a message lists

std::vector<std::string> parameters(const Database& database, const TableSpec& spec) {
  std::set<std::string> names;
  Statement select(database, "SELECT DISTINCT key FROM parameters");
  while (select.step()) names.insert(select.text(0));
  for (const NamedRun& run : spec.scope.planned)
    for (const auto& [key, value] : run.parameters) names.insert(key);
  return {names.begin(), names.end()};
}

// True if any run has the parameter. If all runs of a view lack it, its cells are empty.
bool is_parameter(const Database& database, const TableSpec& spec, const std::string& name) {
  const auto has = [&](const NamedRun& run) { return run.parameters.contains(name); };
  if (std::any_of(spec.scope.planned.begin(), spec.scope.planned.end(), has)) return true;
  Statement select(database, "SELECT 1 FROM parameters WHERE key = ? LIMIT 1", name);
  return select.step();
}

std::string meant_parameter(const Database& database, const Roles& roles, const TableSpec& spec,
                            const std::string& name) {
  const std::string_view key = roles.meant != nullptr ? roles.meant(name) : "";
  if (!key.empty() && key != name) return "; did you mean '" + std::string(key) + "'?";
  return lcsm::did_you_mean(name, parameters(database, spec));
}

}  // namespace

void check_names(const Database& database, const Roles& roles, const TableSpec& spec) {
  std::vector<std::string> names = spec.rows;
  for (const auto* more : {&spec.columns, &spec.tuned})
    names.insert(names.end(), more->begin(), more->end());
  for (const Condition& one : spec.where)
    if (one.key != kTagKey) names.push_back(one.key);
  if (!spec.sweeps.empty()) std::erase(names, kSweepKey);
  std::erase_if(names, [](const std::string& name) { return name.starts_with(kEvaluatedOption); });
  for (std::string& name : names)
    if (name.starts_with(kEvaluatedSign)) name.erase(0, 1);
  for (const std::string& name : names)
    if (!has_role(roles.models, name) && !is_parameter(database, spec, name))
      throw std::invalid_argument("expected a parameter of these runs, got '" + name + "'" +
                                  meant_parameter(database, roles, spec, name));
}

std::string meant_value(const Database& database, const TableSpec& spec, const std::string& name,
                        const std::vector<std::string>& metrics) {
  if (std::find(metrics.begin(), metrics.end(), name) != metrics.end())
    return ", which none of them has reported";
  for (const std::string& metric : metrics)
    if (metric.ends_with("." + name)) return "; did you mean '" + metric + "'?";
  std::vector<std::string> names = metrics;
  const std::vector<std::string> more = parameters(database, spec);
  names.insert(names.end(), more.begin(), more.end());
  return lcsm::did_you_mean(name, names,
                            metrics.empty() ? "" : "; their metrics are " + lcsm::joined(metrics));
}

std::string meant_values(const std::string& value, const std::set<std::string>& values) {
  std::vector<std::string> known(values.begin(), values.end());
  const std::string list = "[" + value + "]";
  const auto in_list = [&](const std::string& one) { return is_among(one, list); };
  if (value.find(',') != std::string::npos && std::ranges::any_of(known, in_list))
    return "; a list is written " + list;
  if (known.empty() || known.size() > kMostValues) return lcsm::did_you_mean(value, known);
  std::ranges::sort(known, natural_less);
  return "; these runs have " + lcsm::joined(known);
}

}  // namespace results
