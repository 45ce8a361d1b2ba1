#include "runner/front/options/result_candidates.h"

#include <algorithm>
#include <filesystem>
#include <memory>
#include <system_error>

#include "lcsm/base/words.h"
#include "results/events/metric.h"
#include "results/figures/figure.h"
#include "results/store/run_facts.h"
#include "results/store/store.h"
#include "results/tables/table.h"
#include "runner/config/keys/config_keys.h"
#include "runner/config/keys/task_row.h"
#include "runner/sweeps/language/result_names.h"
#include "runner/sweeps/language/search.h"
#include "runner/workspace/folder.h"

namespace fs = std::filesystem;

namespace runner {
namespace {

using results::Statement;

std::string workspace_typed(const Typed& before) {
  constexpr std::string_view kOption = "--workspace";
  for (std::size_t i = 0; i < before.size(); ++i) {
    if (before[i] == kOption && i + 1 < before.size()) return before[i + 1];
    if (before[i].starts_with(std::string(kOption) + "=")) return before[i].substr(12);
  }
  return "";
}

// Null if there is no database, or it cannot be read without waiting.
std::unique_ptr<results::Database> database_of(const Typed& before) {
  try {
    return results::open_for_reading(workspace_folder(workspace_typed(before)),
                                     results::kNoPatience);
  } catch (const std::exception&) {
    return nullptr;
  }
}

// The first word that is a sweep with runs, or "".
std::string sweep_typed(const results::Database& database, const Typed& before) {
  const std::vector<std::string> sweeps = results::sweeps_with_runs(database);
  for (std::size_t i = 1; i < before.size(); ++i)
    for (const std::string& sweep : sweeps)
      if (before[i] == sweep || before[i].ends_with("/" + sweep + ".toml") ||
          before[i] == sweep + ".toml" || before[i] == "--sweep=" + sweep)
        return sweep;
  return "";
}

// The texts that a statement selects. OF_SWEEP stands for: the run is one of the sweep that was
// typed, if any. ?2 is `word`.
std::vector<std::string> selected(const Typed& before, const char* sql,
                                  const std::string& word = "") {
  const auto database = database_of(before);
  if (!database) return {};
  const std::string of_sweep = "(?1 = '' OR id IN (SELECT id FROM members WHERE sweep = ?1))";
  Statement select(*database, lcsm::replaced(sql, "OF_SWEEP", of_sweep),
                   sweep_typed(*database, before));
  if (!word.empty()) select.bind(2, word);
  return select.texts();
}

constexpr const char* kVarying =
    "SELECT key FROM settings WHERE OF_SWEEP GROUP BY key HAVING count(DISTINCT value) > 1";
constexpr const char* kMetrics =
    "SELECT DISTINCT metric FROM summaries JOIN runs USING (run) WHERE OF_SWEEP";
constexpr const char* kValues =
    "SELECT DISTINCT value FROM settings WHERE key = ?2 AND OF_SWEEP ORDER BY value";
constexpr const char* kEvaluated =
    "SELECT DISTINCT substr(settings, 1, instr(settings, '=') - 1) FROM evaluated "
    "WHERE instr(settings, ' ') = 0 AND settings <> '' AND OF_SWEEP";
constexpr const char* kModels = "SELECT DISTINCT code FROM overview WHERE OF_SWEEP";
constexpr const char* kTags = "SELECT DISTINCT tag FROM tags JOIN runs USING (run) WHERE OF_SWEEP";

std::string help_of(const std::string& key) {
  const int index = key_index(key);
  return index < 0 ? "" : std::string(key_row(index).help);
}

Candidate metric_candidate(const std::string& name) {
  const results::Metric* metric = results::find_metric(name);
  return {name, metric == nullptr ? "" : std::string(metric->help)};
}

void add(std::vector<Candidate>* candidates, std::vector<Candidate> more) {
  for (Candidate& one : more) candidates->push_back(std::move(one));
}

}  // namespace

std::vector<Candidate> sweep_candidates(const std::string&, const Typed& before) {
  std::vector<Candidate> candidates;
  std::error_code none;
  for (const SweepText& known : known_sweeps()) candidates.push_back({known.name});
  if (const auto database = database_of(before))
    for (const std::string& name : results::sweeps_with_runs(*database))
      if (std::none_of(candidates.begin(), candidates.end(),
                       [&](const Candidate& one) { return one.word == name; })) {
        const std::string file = name + ".toml";  // lcsm run does not take its name
        candidates.push_back({fs::is_regular_file(file, none) ? file : name});
      }
  return candidates;
}

std::vector<Candidate> parameter_candidates(const std::string&, const Typed& before) {
  std::vector<Candidate> candidates;
  for (const std::string& key : selected(before, kVarying))
    candidates.push_back({key, help_of(key)});
  for (const std::string& key : selected(before, kEvaluated))
    candidates.push_back({results::kEvaluatedSign + key, "in evaluations after training"});
  return candidates.empty() ? choices_of(kConfigKeys) : candidates;
}

std::vector<Candidate> axis_candidates(const std::string& prefix, const Typed& before) {
  std::vector<Candidate> candidates = {{std::string(results::kStepAxis), "curves"}};
  add(&candidates, parameter_candidates(prefix, before));
  return candidates;
}

std::vector<Candidate> metric_candidates(const std::string&, const Typed& before) {
  std::vector<Candidate> candidates;
  for (const std::string& metric : selected(before, kMetrics))
    candidates.push_back(metric_candidate(metric));
  if (candidates.empty())
    for (const std::string& metric : metric_names()) candidates.push_back(metric_candidate(metric));
  return candidates;
}

std::vector<Candidate> selecting_candidates(const std::string& prefix, const Typed& before) {
  std::vector<Candidate> candidates = metric_candidates(prefix, before);
  std::erase_if(candidates, [](const Candidate& one) { return !one.word.starts_with("valid."); });
  return candidates;
}

std::vector<Candidate> value_candidates(const std::string& prefix, const Typed& before) {
  const std::size_t at = prefix.find('@');
  std::vector<Candidate> candidates;
  if (at != std::string::npos) {
    const std::string start = prefix.substr(0, at + 1);
    for (const char* how : {"last", "best"}) candidates.push_back({start + how});
    for (const Candidate& metric : selecting_candidates(prefix, before))
      candidates.push_back({start + metric.word, "at its best step"});
    return candidates;
  }
  add(&candidates, metric_candidates(prefix, before));
  add(&candidates, parameter_candidates(prefix, before));
  return candidates;
}

std::vector<Candidate> where_candidates(const std::string& prefix, const Typed& before) {
  std::vector<Candidate> candidates;
  const std::size_t equals = prefix.find('=');
  if (equals == std::string::npos) {
    for (const std::string& key : selected(before, kVarying))
      candidates.push_back({key + "=", help_of(key)});
    if (!selected(before, kTags).empty())
      candidates.push_back({std::string(results::kTagKey) + "=", "set by `lcsm tag`"});
    return candidates;
  }
  const std::string key = prefix.substr(0, equals);
  const bool tags = key == results::kTagKey;
  for (const std::string& value : tags ? selected(before, kTags) : selected(before, kValues, key))
    candidates.push_back({key + "=" + value});
  return candidates;
}

std::vector<Candidate> row_candidates(const std::string&, const Typed& before) {
  std::vector<Candidate> candidates;
  for (const std::string& code : selected(before, kModels)) candidates.push_back({code});
  return candidates;
}

}  // namespace runner
