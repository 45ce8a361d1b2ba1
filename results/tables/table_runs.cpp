#include "results/tables/table_runs.h"

#include <algorithm>
#include <stdexcept>
#include <unordered_map>

#include "lcsm/base/nearest.h"
#include "results/events/metric.h"
#include "results/events/run_folder.h"
#include "results/store/run_facts.h"
#include "results/tables/table_defaults.h"
#include "results/tables/table_names.h"
#include "results/tables/table_values.h"
#include "results/text/number_text.h"

namespace results {
namespace {

// The runs of the table: ?1 is the JSON array of their numbers.
constexpr const char* kChosen = "run IN (SELECT value FROM json_each(?1))";

RunState state_of_row(const std::string& status) {
  if (const auto state = stored_state(status)) return *state;
  throw std::runtime_error("expected the status of a run, got '" + status + "'");
}

// True for a name such as "valid.ppl" whose metric is a row of kMetrics.
bool is_metric_of_a_split(const std::string& name) {
  return is_of_a_split(name) && find_metric(name) != nullptr;
}

// Keeps the attempts that trained the steps before.
void begin_attempt(const std::string& commit, std::int64_t from_step, TableRun* run) {
  run->earlier.push_back({run->from_step, program_of(*run), run->machine});
  std::erase_if(run->earlier, [&](const auto& one) { return one.from_step >= from_step; });
  run->from_step = from_step;
  run->commit = commit;
  run->diff = run->machine = "";
}

class Loader {
 public:
  Loader(Database& database, const Roles& roles, TableSpec* spec)
      : database_(database), spec_(*spec) {
    found_.roles = roles;
  }

  TableRuns load() {
    read_runs();
    read_sweep();
    check_names(database_, found_.roles, spec_);
    for (const std::string& key : keys_that_may_vary()) read_parameter(key);
    for (const std::string& key : keys_planned_to_vary()) read_parameter(key);
    read_texts();
    if (!spec_.scope.models.empty()) read_parameter(std::string(found_.roles.models[0]));
    keep_chosen();
    find_varying();
    const bool all_said = !spec_.values.empty() && !spec_.by.empty();
    fill_in(found_, all_said ? std::vector<std::string>() : known_metrics(), &spec_);
    for (const std::string& key : needed_parameters()) read_parameter(key);
    for (const std::string& value : spec_.values) read_value(value);
    if (!spec_.tuned.empty()) read_choosing_values();
    if (spec_.judged)
      for_each("SELECT run, last FROM summaries WHERE metric = ?2 AND " + scope_,
               std::string(kParams),
               [](TableRun& run, const Statement& row) { run.params = row.real(1); });
    read_environments();
    count_seeds();
    return std::move(found_);
  }

 private:
  // ----- Reading -----

  template <class Take>
  void for_each(const std::string& sql, const std::string& second, const Take& take) {
    Statement select(database_, sql, chosen_);
    if (!second.empty()) select.bind(2, second);
    while (select.step())
      if (const auto at = row_of_.find(select.integer(0)); at != row_of_.end())
        take(found_.runs[at->second], select);
  }

  void read_runs() {
    Statement select(database_,
                     "SELECT run, id, state, steps FROM runs WHERE ?1 = '' OR run IN "
                     "(SELECT run FROM points WHERE sweep = ?1) ORDER BY run",
                     spec_.scope.only.empty() ? spec_.sweep : "");
    while (select.step()) {
      if (!spec_.scope.only.empty() && !spec_.scope.only.contains(select.text(1))) continue;
      chosen_ += (chosen_.empty() ? "[" : ",") + std::to_string(select.integer(0));
      row_of_[select.integer(0)] = found_.runs.size();
      found_.runs.push_back(
          {select.text(1), state_of_row(select.text(2)), "", select.integer(3), {}, {}});
    }
    chosen_ += chosen_.empty() ? "[]" : "]";
    // If most runs are chosen, reading all and skipping the others is faster.
    if (2 * std::ssize(found_.runs) > database_.integer("SELECT count(*) FROM runs"))
      scope_ = "?1 NOTNULL";
    add_planned();
    if (!found_.runs.empty()) return;
    if (spec_.sweep.empty())
      throw std::invalid_argument("expected runs in the workspace, got none");
    throw std::invalid_argument("expected a sweep with runs in this workspace, got '" +
                                spec_.sweep + "'" +
                                lcsm::did_you_mean(spec_.sweep, sweeps_with_runs(database_)));
  }

  void add_planned() {
    std::set<std::string> known;
    for (const TableRun& run : found_.runs) known.insert(run.id);
    for (const NamedRun& run : spec_.scope.planned) {
      if (!known.insert(run.id).second) continue;
      found_.runs.push_back({run.id, RunState::kNew, "", 0, {}, {}});
      for (const auto& [key, value] : run.parameters)
        found_.runs.back().parameters[key] = text_of(database_, value);
    }
  }

  void read_sweep() {
    found_.title = spec_.sweep_title;
    found_.paper = spec_.paper;
    Statement select(database_, "SELECT title, paper FROM sweeps WHERE sweep = ?", spec_.sweep);
    if (!select.step()) return;
    if (found_.title.empty()) found_.title = select.text(0);
    if (found_.paper.empty()) found_.paper = select.text(1);
  }

  // Keys with one value throughout the database cannot vary here. Steps through the index, without
  // reading every row.
  std::vector<std::string> keys_that_may_vary() {
    Statement select(
        database_,
        "WITH RECURSIVE k(key) AS (SELECT min(key) FROM parameters UNION ALL "
        "SELECT (SELECT min(key) FROM parameters p WHERE p.key > k.key) FROM k WHERE key NOT NULL) "
        "SELECT key, (SELECT min(value) FROM parameters p WHERE p.key = k.key) IS NOT "
        "(SELECT max(value) FROM parameters p WHERE p.key = k.key) FROM k WHERE key NOT NULL");
    std::vector<std::string> all, varying;
    while (select.step()) {
      all.push_back(select.text(0));
      if (select.integer(1) != 0) varying.push_back(all.back());
    }
    const std::int64_t rows = database_.integer("SELECT count(*) FROM parameters");
    const std::int64_t runs = database_.integer("SELECT count(*) FROM runs");
    return rows == runs * std::ssize(all) ? varying : all;  // all: some runs lack a key
  }

  std::set<std::string> keys_planned_to_vary() const {
    std::set<std::string> keys;
    for (const NamedRun& run : spec_.scope.planned)
      for (const auto& [key, value] : run.parameters) {
        const auto first = spec_.scope.planned[0].parameters.find(key);
        if (first == spec_.scope.planned[0].parameters.end() || first->second != value)
          keys.insert(key);
      }
    return keys;
  }

  void read_parameter(const std::string& key) {
    if (!read_.insert(key).second) return;
    for_each("SELECT run, value FROM parameters WHERE key = ?2 AND " + scope_, key,
             [&](TableRun& run, const Statement& row) { run.parameters[key] = row.text(1); });
    if (key != found_.roles.models[0]) return;
    for (TableRun& run : found_.runs)
      if (const auto named = spec_.scope.models.find(run.id); named != spec_.scope.models.end())
        run.parameters[key] = named->second;
  }

  // Texts are read as parameters where the runs of a task have several. Runs of earlier versions
  // lack the fact; beside these it says nothing.
  void read_texts() {
    const std::string key(found_.roles.text);
    for (const std::string& name : {std::string(found_.roles.task), key}) read_parameter(name);
    std::map<const TableRun*, std::string> texts;
    for_each(
        "SELECT run, value FROM environments WHERE name = ?2 AND " + scope_ + " ORDER BY attempt",
        std::string(kTextFact),
        [&](const TableRun& run, const Statement& row) { texts[&run] = row.text(1); });
    std::map<std::string, std::set<std::string>> of_task;
    for (const TableRun& run : found_.runs)
      if (run.state != RunState::kNew)
        of_task[parameter(run, found_.roles.task)].insert(texts[&run]);
    for (TableRun& run : found_.runs) {
      const std::set<std::string>& all = of_task[parameter(run, found_.roles.task)];
      if (run.state != RunState::kNew && all.size() > 1 && !all.contains(""))
        run.parameters[key] = texts[&run];
    }
  }

  void read_value(const std::string& text) {
    const Reduction reduction = parse_value(text);
    bool any = false;
    Statement select(database_, select_value(reduction, scope_), chosen_);
    bind_value(reduction, &select);
    while (select.step())
      if (const auto at = row_of_.find(select.integer(0)); at != row_of_.end()) {
        any = true;
        if (select.is_null(1)) continue;
        TableRun& run = found_.runs[at->second];
        run.values[text] = select.real(1);
        if (reduction.how == Reduction::How::kEvaluated)
          run.other_step = run.other_step || select.integer(3) != 0;
      }
    if (!any) read_parameter_as_value(reduction.metric, text);
  }

  void read_parameter_as_value(const std::string& key, const std::string& text) {
    read_parameter(key);
    bool any = false;
    for (TableRun& run : found_.runs) {
      const auto found = run.parameters.find(key);
      if (found == run.parameters.end()) continue;
      any = true;
      if (const auto number = number_in(found->second))
        run.values[text] = *number;
      else if (spec_.numbers)
        throw std::invalid_argument("expected numbers as value, got '" + key + "' = '" +
                                    found->second + "'");
      else
        run.texts[text] = found->second;
    }
    if (any || may_be_reported(key)) return;
    throw std::invalid_argument("expected a metric or parameter of these runs, got '" + text + "'" +
                                meant_value(database_, spec_, key, known_metrics()));
  }

  // Runs report metrics from their first evaluation on; one that is done has reported all.
  bool may_be_reported(const std::string& metric) const {
    if (spec_.of_file && is_metric_of_a_split(metric)) return true;
    const bool expected = std::find(spec_.scope.expected.begin(), spec_.scope.expected.end(),
                                    metric) != spec_.scope.expected.end() ||
                          (spec_.scope.expected.empty() && is_metric_of_a_split(metric));
    return expected && std::none_of(found_.runs.begin(), found_.runs.end(),
                                    [](const TableRun& r) { return r.state == RunState::kDone; });
  }

  // Every task has a metric that chooses: `by`; if its runs lack `by`, the task's first validation
  // metric among the table's values, then among all metrics.
  void read_choosing_values() {
    read_value(spec_.by);
    std::map<std::string, std::vector<const TableRun*>> of_task;
    for (const TableRun& run : found_.runs)
      of_task[parameter(run, found_.roles.task)].push_back(&run);
    if (of_task.size() < 2) return;
    std::vector<std::string> names = spec_.values;
    for (std::string& metric : known_metrics()) names.push_back(std::move(metric));
    for (const auto& [task, runs] : of_task) {
      const auto have = [&](const std::string& name) {
        return std::any_of(runs.begin(), runs.end(),
                           [&](const TableRun* run) { return run->values.contains(name); });
      };
      if (have(spec_.by)) continue;
      for (const std::string& name : names) {
        if (!name.starts_with("valid.")) continue;
        read_value(name);
        if (!have(name)) continue;
        found_.by_of[task] = name;
        break;
      }
    }
  }

  // Reads the environment of the last attempt. Speed and memory depend on the machine and the
  // threads.
  void read_environments() {
    for_each(
        "SELECT run, value, name, from_step FROM environments JOIN attempts USING (run, attempt) "
        "WHERE (name IN ('commit', 'cpu', 'diff', 'gpu', 'host', 'threads') OR name GLOB ?2) AND " +
            scope_ + " ORDER BY run, attempt, name",
        std::string(kExamplesFact) + "*", [](TableRun& run, const Statement& row) {
          const std::string name = row.text(2), value = row.text(1);
          if (name.starts_with(kExamplesFact))
            run.sizes[name] = value;
          else if (name == "commit")
            begin_attempt(value, row.integer(3), &run);
          else if (name == "diff")
            run.diff = value;
          else
            run.machine += name == "threads" ? "threads " + value : value + ", ";
        });
  }

  void count_seeds() {
    std::set<std::string> seeds;
    for (const TableRun& run : found_.runs) seeds.insert(parameter(run, found_.roles.seed));
    const auto has_seeds = [&](const std::vector<std::string>& keys) {
      return std::ranges::find(keys, found_.roles.seed) != keys.end();
    };
    found_.seeds = has_seeds(spec_.rows) || has_seeds(spec_.columns) ? 1 : seeds.size();
  }

  // ----- Choosing -----

  void keep_chosen() {
    for (const Condition& condition : spec_.where) {
      if (condition.key == kTagKey)
        keep_tagged(condition.value);
      else
        keep_with(condition);
      renumber();
    }
  }

  void keep_tagged(const std::string& tag) {
    const std::set<std::string> tagged = runs_tagged(database_, tag);
    const auto untagged = [&](const TableRun& run) { return !tagged.contains(run.id); };
    if (std::ranges::all_of(found_.runs, untagged)) refuse(std::string(kTagKey), tag);
    std::erase_if(found_.runs, untagged);
  }

  void keep_with(const Condition& condition) {
    read_parameter(condition.key);
    const std::set<std::string> known = values_of(condition.key);
    const auto has = [&](std::string_view value) {
      return std::ranges::any_of(known, [&](auto& one) { return same_value(one, value); });
    };
    const std::vector<std::string_view> wanted = listed_values(condition.value);
    const auto missing = std::ranges::find_if_not(wanted, has);
    if (std::ranges::none_of(wanted, has)) refuse(condition.key, condition.value);
    if (missing != wanted.end() && !condition.of_file) refuse(condition.key, std::string(*missing));
    std::erase_if(found_.runs, [&](const TableRun& run) {
      const auto found = run.parameters.find(condition.key);
      return found == run.parameters.end() || !is_among(found->second, condition.value);
    });
  }

  [[noreturn]] void refuse(const std::string& key, const std::string& value) const {
    throw std::invalid_argument("expected runs with " + key + " = '" + value + "', got none" +
                                meant_values(value, values_of(key)));
  }

  std::set<std::string> values_of(const std::string& key) const {
    std::set<std::string> values;
    for (const TableRun& run : found_.runs)
      if (const auto at = run.parameters.find(key); at != run.parameters.end())
        values.insert(at->second);
    return values;
  }

  void renumber() {
    std::unordered_map<std::string, std::size_t> kept;
    for (std::size_t i = 0; i < found_.runs.size(); ++i) kept[found_.runs[i].id] = i;
    row_of_.clear();
    Statement select(database_, "SELECT run, id FROM runs");
    while (select.step())
      if (const auto at = kept.find(select.text(1)); at != kept.end())
        row_of_[select.integer(0)] = at->second;
  }

  // Keys that a run lacks follow from another parameter, or are newer than the run.
  void find_varying() {
    for (const std::string& key : read_) {
      std::set<std::string> values;
      for (const TableRun& run : found_.runs)
        if (const auto at = run.parameters.find(key); at != run.parameters.end())
          if (values.insert(at->second); values.size() > 1) break;
      if (values.size() > 1) found_.varying.insert(key);
    }
    const std::string start(found_.roles.start), seed(found_.roles.seed);
    std::set<std::string> others = found_.varying;
    if (others.erase(start) == 0 || !settle(others, start)) return;
    others.erase(seed);
    if (!settle(others, start)) found_.varying.erase(start);
  }

  // True if runs with equal values of `keys` have equal values of `other`.
  bool settle(const std::set<std::string>& keys, const std::string& other) const {
    std::map<std::vector<std::string>, std::string> settled;
    return std::ranges::all_of(found_.runs, [&](const TableRun& run) {
      std::vector<std::string> values;
      for (const std::string& key : keys) values.push_back(parameter(run, key));
      const std::string& value = parameter(run, other);
      return settled.try_emplace(std::move(values), value).first->second == value;
    });
  }

  // The metrics that these runs report, test metrics last. Other runs of the sweep may be left out.
  std::vector<std::string> known_metrics() {
    Statement select(database_, "SELECT run, metric FROM summaries WHERE " + scope_, chosen_);
    std::set<std::pair<bool, std::string>> reported;
    while (select.step()) {
      if (!row_of_.contains(select.integer(0))) continue;
      const std::string metric = select.text(1);
      reported.emplace(metric.starts_with("test."), metric);
    }
    std::vector<std::string> metrics;
    for (const auto& [of_test, metric] : reported) metrics.push_back(metric);
    const bool evaluated = std::any_of(metrics.begin(), metrics.end(), is_metric_of_a_split);
    return evaluated ? metrics : spec_.scope.expected;
  }

  std::vector<std::string> needed_parameters() const {
    const Roles& roles = found_.roles;
    std::vector<std::string> keys(roles.budgets.begin(), roles.budgets.end());
    for (const std::string_view key : {roles.seed, roles.steps, roles.task}) keys.emplace_back(key);
    keys.insert(keys.end(), roles.sizes.begin(), roles.sizes.end());
    for (const auto* more : {&spec_.rows, &spec_.columns, &spec_.tuned})
      keys.insert(keys.end(), more->begin(), more->end());
    return keys;
  }

  Database& database_;
  std::string chosen_, scope_ = kChosen;
  TableSpec& spec_;
  TableRuns found_;
  std::unordered_map<std::int64_t, std::size_t> row_of_;
  std::set<std::string> read_;
};

}  // namespace

std::string program_of(const TableRun& run) { return run.commit + " " + run.diff; }

TableRuns load_runs(Database& database, const Roles& roles, TableSpec* spec) {
  return Loader(database, roles, spec).load();
}

}  // namespace results
