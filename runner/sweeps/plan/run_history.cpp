#include "runner/sweeps/plan/run_history.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <memory>

#include "lcsm/base/words.h"
#include "runner/config/keys/config_keys.h"
#include "runner/config/keys/task_keys.h"
#include "runner/config/keys/task_rows.h"
#include "runner/config/run/run_id.h"
#include "runner/data/own/data_sizes.h"

namespace runner {
namespace {

using KeyValues = std::map<std::string, std::string>;

struct Measured {
  KeyValues values;  // of the keys that shape the cost
  KeyValues data;    // of the key that shares out a user's data
  double seconds = 0, steps = 0;
};

// Runs with equal values.
struct Alike {
  KeyValues data;  // of one of them
  std::vector<double> step_seconds;
  double steps = 0;
};

double median(std::vector<double> values) {
  const auto middle = values.begin() + static_cast<std::ptrdiff_t>(values.size() / 2);
  std::nth_element(values.begin(), middle, values.end());
  return *middle;
}

// Finished attempts, with the time and steps of each.
std::map<std::int64_t, Measured> measured_runs(results::Database& database,
                                               const std::string& host) {
  results::Statement rows(
      database,
      "SELECT a.run, sum(a.ended - a.started), sum(a.steps - a.from_step) FROM attempts a"
      " LEFT JOIN environments e ON e.run = a.run AND e.attempt = a.attempt AND e.name = 'host'"
      " WHERE a.ended > a.started AND a.steps > a.from_step"
      " AND (?1 = '' OR coalesce(e.value, ?1) = ?1)"
      " GROUP BY a.run",
      host);
  std::map<std::int64_t, Measured> runs;
  while (rows.step()) runs[rows.integer(0)] = {{}, {}, rows.real(1), rows.real(2)};
  return runs;
}

constexpr const char* kGate = "model.oscillation";

void add_value(results::Database& database, std::string_view key, bool real,
               KeyValues Measured::*values, std::map<std::int64_t, Measured>& runs) {
  results::Statement rows(database, "SELECT run, value FROM parameters WHERE key = ?1", key);
  while (rows.step())
    if (const auto run = runs.find(rows.integer(0)); run != runs.end())
      (run->second.*values)[std::string(key)] =
          real ? value_text(Value(rows.real(1))) : rows.text(1);
}

void add_values(results::Database& database, std::map<std::int64_t, Measured>& runs) {
  for (const ConfigKey& key : kConfigKeys)
    if (shapes_cost(key.name))
      add_value(database, key.name, key.kind == Kind::kReal, &Measured::values, runs);
  add_value(database, kGate, false, &Measured::values, runs);
  add_value(database, "task.seed", false, &Measured::data, runs);
}

// Adds the run's custom gate, which may no longer be in any file.
std::shared_ptr<const lcsm::Catalogue> catalogue_of(const KeyValues& values) {
  auto catalogue = std::make_shared<lcsm::Catalogue>();
  const auto gate = values.find(kGate), code = values.find("model.code");
  if (gate == values.end() || code == values.end()) return catalogue;
  const std::size_t name = code->second.find('-') + 1;
  const std::string o = code->second.substr(name, code->second.find('-', name) - name);
  catalogue->add(oscillation_of(o, gate->second));
  return catalogue;
}

// Runs have the content of such data, not its name.
bool is_of_another_set(const KeyValues& values) {
  const auto task = values.find("task.name"), content = values.find("task.content");
  if (task == values.end() || content == values.end() || content->second.empty()) return false;
  const TaskRow* row = task_row(task->second);
  return row != nullptr && lcsm::has_word(row->keys, key_name("task.data"_key));
}

// The configuration; none for keys or gates of another version.
std::optional<RunConfig> config_of(const KeyValues& values, const Alike& runs) {
  ConfigTree tree;
  Mistakes mistakes;
  for (const KeyValues& each : {values, runs.data})
    for (const auto& [key, value] : each)
      if (!value.empty() && key != kGate) read_setting(key + "=" + value, tree, mistakes);
  read_setting("optim.steps=" + std::to_string(std::llround(runs.steps)), tree, mistakes);
  read_setting("optim.schedule=constant", tree, mistakes);
  if (is_of_another_set(values)) read_setting("task.data=another", tree, mistakes);
  try {
    auto config = resolve(tree.assignments, catalogue_of(values), mistakes);
    return mistakes.any() ? std::nullopt : config;
  } catch (const std::exception&) {
    return std::nullopt;
  }
}

}  // namespace

RunHistory::RunHistory(results::Database& database, const std::string& host,
                       const std::filesystem::path& workspace) {
  std::map<std::int64_t, Measured> runs = measured_runs(database, host);
  add_values(database, runs);
  std::map<KeyValues, Alike> alike;
  for (auto& [run, measured] : runs) {
    Alike& group = alike[std::move(measured.values)];
    group.data = std::move(measured.data);
    group.step_seconds.push_back(measured.seconds / measured.steps);
    group.steps = std::max(group.steps, measured.steps);
  }
  std::vector<double> factors;
  for (const auto& [values, group] : alike) {
    const auto config = config_of(values, group);
    if (!config) continue;
    const double step = step_seconds_[likeness(*config)] = median(group.step_seconds);
    if (is_of_another_set(values)) continue;  // of unknown size
    const RunCost cost = cost_of(*config, data_sizes(*config, workspace));
    factors.push_back(step * group.steps * kGuessedRate / cost.flops);
  }
  if (!factors.empty()) factor_ = median(factors);
}

Estimate RunHistory::estimate(const RunConfig& config, const RunCost& cost, int threads) const {
  const auto capped = [&cost](double seconds) {
    if (cost.steps == 0) return cost.minutes * 60;
    return cost.minutes > 0 ? std::min(seconds, cost.minutes * 60) : seconds;
  };
  const auto like =
      step_seconds_.empty() ? step_seconds_.end() : step_seconds_.find(likeness(config));
  if (like != step_seconds_.end()) return {capped(like->second * cost.steps), "measured"};
  if (factor_ > 0) return {capped(cost.flops / kGuessedRate * factor_), "scaled"};
  return {capped(1 + cost.flops / (kGuessedRate * std::max(1, threads))), "guessed"};
}

}  // namespace runner
