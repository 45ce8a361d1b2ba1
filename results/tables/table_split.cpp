#include <algorithm>
#include <cmath>
#include <stdexcept>

#include "lcsm/base/words.h"
#include "results/tables/table_steps.h"

namespace results {
namespace {

using Metrics = std::map<std::string, double>;
using Evaluated = std::map<std::string, Metrics>;  // by the value of the key

// The key without its sign; "" if there is none.
std::string evaluated_key(const TableSpec& spec) {
  std::vector<std::string> found;
  for (const auto* keys : {&spec.rows, &spec.columns})
    for (const std::string& key : *keys)
      if (key.starts_with(kEvaluatedSign)) found.push_back(key.substr(1));
  if (found.size() > 1)
    throw std::invalid_argument("expected one key of evaluations, got '@" + found[0] + "' and '@" +
                                found[1] + "'");
  return found.empty() ? "" : found[0];
}

// Evaluations by run id. Of several steps, the newest counts.
std::map<std::string, Evaluated> evaluations_of(const Database& database, const std::string& key) {
  std::map<std::string, Evaluated> all;
  const std::string start = key + "=";
  Statement select(database,
                   "SELECT id, settings, metric, value FROM evaluated "
                   "WHERE instr(settings, ?1) = 1 AND instr(settings, ' ') = 0 "
                   "ORDER BY time");
  select.bind_all(std::string_view(start));
  while (select.step())
    all[select.text(0)][select.text(1).substr(start.size())][select.text(2)] = select.real(3);
  return all;
}

bool is_of_a_split(const std::string& metric) {
  return metric.starts_with("valid.") || metric.starts_with("test.");
}

TableRun evaluated_run(const TableRun& run, const Metrics& metrics, const TableSpec& spec,
                       const std::string& key) {
  TableRun copy = run;
  for (const std::string& text : spec.values) {
    const Reduction value = parse_value(text);
    if (!is_of_a_split(value.metric)) continue;
    if (!spec.tuned.empty() && text == spec.by)
      throw std::invalid_argument("'" + text + "' selects " + spec.tuned[0] + " at the trained " +
                                  key + ": remove it from the values");
    copy.values.erase(text);
    const auto found = metrics.find(value.metric);
    if (found != metrics.end() && value.how == Reduction::How::kLast)
      copy.values[text] = found->second;
  }
  return copy;
}

}  // namespace

void split_by_sweep(const TableSpec& spec, TableRuns* runs) {
  if (!lcsm::has_word(spec.rows, kSweepKey) && !lcsm::has_word(spec.columns, kSweepKey)) return;
  std::vector<TableRun> split;
  for (const TableRun& run : runs->runs)
    for (const auto& [sweep, ids] : spec.sweeps)
      if (ids.contains(run.id)) {
        split.push_back(run);
        split.back().parameters[std::string(kSweepKey)] = sweep;
      }
  runs->runs = std::move(split);
}

void split_by_evaluation(const Database& database, const TableSpec& spec, TableRuns* runs) {
  const std::string key = evaluated_key(spec);
  if (key.empty()) return;
  std::map<std::string, std::string> trained;
  Statement select(database, "SELECT id, value FROM settings WHERE key = ?");
  select.bind_all(std::string_view(key));
  while (select.step()) trained[select.text(0)] = select.text(1);
  const std::map<std::string, Evaluated> evaluations = evaluations_of(database, key);
  const std::string label = kEvaluatedSign + key;
  std::vector<TableRun> split;
  for (const TableRun& run : runs->runs) {
    const auto found = evaluations.find(run.id);
    const Evaluated evaluated = found == evaluations.end() ? Evaluated() : found->second;
    const auto found_own = trained.find(run.id);
    const std::string& own =  // none of an option of a system
        found_own == trained.end() ? parameter(run, key) : found_own->second;
    if (evaluated.empty() || (!own.empty() && !evaluated.contains(own))) {
      split.push_back(run);
      split.back().parameters[label] = own.empty() ? "as trained" : own;
    }
    for (const auto& [value, metrics] : evaluated) {
      split.push_back(evaluated_run(run, metrics, spec, key));
      split.back().parameters[label] = value;
    }
  }
  runs->runs = std::move(split);
}

}  // namespace results
