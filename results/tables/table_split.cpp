#include <stdexcept>

#include "lcsm/base/words.h"
#include "results/events/metric.h"
#include "results/tables/table_steps.h"

namespace results {
namespace {

using Texts = std::map<std::string, std::string>;
struct Evaluation {
  double value = 0;
  bool other_step = false;  // than the run's own last value
};
using Metrics = std::map<std::string, Evaluation>;
using Evaluated = std::map<std::string, Metrics>;        // by the value of the key
using EvaluatedRuns = std::map<std::string, Evaluated>;  // by id

// The value that each run was trained with, by its id; "" for an option of a system.
Texts trained_values(const Database& database, const std::string& key, const TableRuns& all) {
  Texts values;
  for (const TableRun& run : all.runs) values[run.id] = parameter(run, key);
  Statement select(database, "SELECT id, value FROM settings WHERE key = ?", key);
  while (select.step())
    if (const auto found = values.find(select.text(0)); found != values.end())
      found->second = select.text(1);
  return values;
}

// Tells which of an evaluation's settings a run was trained with.
class Trained {
 public:
  Trained(const Database& database, const TableRuns& all) : database_(database), all_(all) {}
  // `setting`: "task.length=64".
  bool with(const std::string& id, const std::string& setting) {
    const std::string key = setting.substr(0, setting.find('='));
    const auto [at, fresh] = values_.try_emplace(key);
    if (fresh) at->second = trained_values(database_, key, all_);
    const auto own = at->second.find(id);
    return own != at->second.end() && setting == key + "=" + own->second;
  }

 private:
  const Database& database_;
  const TableRuns& all_;
  std::map<std::string, Texts> values_;  // by key
};

// Evaluations that differ from the training in `key` alone; others are added to all->left_out. Of
// several steps, the newest counts.
EvaluatedRuns evaluations_of(const Database& database, const std::string& key, const Texts& own,
                             TableRuns* all) {
  EvaluatedRuns found;
  Trained trained(database, *all);
  const std::string start = key + "=";
  Statement select(database,
                   "SELECT id, settings, metric, value, step <> last_step FROM evaluations "
                   "JOIN runs USING (run) LEFT JOIN summaries USING (run, metric) "
                   "WHERE instr(' ' || settings, ' ' || ?1) > 0 ORDER BY time",
                   start);
  while (select.step()) {
    const std::string id = select.text(0), settings = select.text(1);
    if (!own.contains(id)) continue;
    std::string value;
    bool alone = true;
    for (const std::string& setting : lcsm::words_of(settings))
      if (setting.starts_with(start))
        value = setting.substr(start.size());
      else
        alone = alone && trained.with(id, setting);
    if (alone)
      found[id][value][select.text(2)] = {select.real(3), select.integer(4) != 0};
    else
      all->left_out.insert(settings);
  }
  return found;
}

// Names the runs among which tuned parameters are chosen.
std::string choice_of(const TableRun& run, const TableRuns& all, const TableSpec& spec) {
  std::string name;
  for (const std::string& key : all.varying)
    if (key != all.roles.seed && !lcsm::has_word(spec.tuned, key))
      name += key + "=" + parameter(run, key) + "\n";
  return name;
}

// Adds to each run, without metrics, the values at which other runs of its choice were evaluated:
// tuned values are chosen by the training, whichever runs were evaluated. `trained`: each run's own
// value.
void add_other_candidates(const TableRuns& all, const TableSpec& spec, const Texts& trained,
                          EvaluatedRuns* evaluations) {
  std::map<std::string, Evaluated> of_choice;
  for (const TableRun& run : all.runs)
    for (const auto& [value, metrics] : (*evaluations)[run.id])
      of_choice[choice_of(run, all, spec)][value];
  for (const TableRun& run : all.runs)
    for (const auto& [value, none] : of_choice[choice_of(run, all, spec)])
      if (value != trained.at(run.id)) (*evaluations)[run.id].try_emplace(value);
}

// `own`: at the value of the training, where the run's other metrics remain.
TableRun evaluated_run(const TableRun& run, const Metrics& metrics, const TableSpec& spec,
                       const std::string& key, bool own) {
  TableRun copy = run;
  for (const std::string& text : spec.values) {
    const Reduction value = parse_value(text);
    if (!is_of_a_split(value.metric)) continue;
    if (!spec.tuned.empty() && text == spec.by)
      throw std::invalid_argument("'" + text + "' selects " + spec.tuned[0] + " at the trained " +
                                  key + ": remove it from the values");
    const auto found = metrics.find(value.metric);
    if (!own || found != metrics.end()) copy.values.erase(text);
    if (found == metrics.end() || value.how != Reduction::How::kLast) continue;
    copy.values[text] = found->second.value;
    copy.other_step = copy.other_step || found->second.other_step;
  }
  return copy;
}

}  // namespace

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
  const Texts trained = trained_values(database, key, *runs);
  EvaluatedRuns evaluations = evaluations_of(database, key, trained, runs);
  if (!spec.tuned.empty()) add_other_candidates(*runs, spec, trained, &evaluations);
  const std::string label = kEvaluatedSign + key;
  std::vector<TableRun> split;
  for (const TableRun& run : runs->runs) {
    const Evaluated& evaluated = evaluations[run.id];
    const std::string& own = trained.at(run.id);
    if (evaluated.empty() || (!own.empty() && !evaluated.contains(own))) {
      split.push_back(run);
      split.back().parameters[label] = own.empty() ? "as trained" : own;
    }
    for (const auto& [value, metrics] : evaluated) {
      split.push_back(evaluated_run(run, metrics, spec, key, value == own));
      split.back().parameters[label] = value;
    }
  }
  runs->runs = std::move(split);
}

}  // namespace results
