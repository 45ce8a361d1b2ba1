#include "results/store/run_facts.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <stdexcept>

#include "results/store/query.h"
#include "results/store/run_rows.h"

namespace results {
namespace {

std::vector<std::string> ids_with(Database& database, const char* table,
                                  const std::string& prefix) {
  return Statement(database,
                   std::string("SELECT id FROM ") + table +
                       " WHERE substr(id, 1, length(?1)) = ?1 ORDER BY id LIMIT 3",
                   prefix)
      .texts();
}

std::set<std::string> id_set(const Database& database, const char* sql, std::string_view name) {
  const std::vector<std::string> ids = Statement(database, sql, name).texts();
  return {ids.begin(), ids.end()};
}

std::vector<Setting> settings_of(Database& database, const std::string& sql, std::int64_t run) {
  Statement select(database, sql, run);
  std::vector<Setting> settings;
  while (select.step()) {
    const bool boolean = select.text(2) == "boolean";
    settings.push_back({select.text(0), !boolean                 ? select.text(1)
                                        : select.integer(1) != 0 ? "true"
                                                                 : "false"});
  }
  return settings;
}

Grid rows_about(Database& database, std::int64_t run, const std::string& sql) {
  Statement select(database, sql, run);
  return rows_of(select);
}

// The database stores NaN as NULL.
Grid with_nan(Grid grid, std::size_t column) {
  for (auto& row : grid.rows)
    if (std::holds_alternative<std::monostate>(row[column])) row[column] = std::nan("");
  return grid;
}

// Adds the keys whose values differ, sorted, with both values; empty if one side lacks the key.
void add_differences(Grid* grid, const std::string& part, const std::vector<Setting>& a,
                     const std::vector<Setting>& b) {
  std::map<std::string, std::pair<Cell, Cell>> values;
  for (const Setting& setting : a) values[setting.key].first = setting.value;
  for (const Setting& setting : b) values[setting.key].second = setting.value;
  for (const auto& [key, both] : values)
    if (both.first != both.second) grid->rows.push_back({part, key, both.first, both.second});
}

std::vector<Setting> lasting(std::vector<Setting> environment) {
  std::erase_if(environment, [](const Setting& fact) { return is_of_one_process(fact.key); });
  return environment;
}

std::vector<Setting> last_values(const Grid& metrics) {
  std::vector<Setting> values;
  for (const auto& row : metrics.rows) values.push_back({cell_text(row[0]), cell_text(row[1])});
  return values;
}

}  // namespace

std::string find_run(Database& database, const std::string& prefix) {
  const std::vector<std::string> ids = ids_with(database, "runs", prefix);
  if (ids.size() == 1) return ids[0];
  if (ids.size() > 1)
    throw std::invalid_argument("expected the first digits of one run's id, got '" + prefix +
                                "': " + ids[0] + " and " + ids[1] + " start with it");
  const std::vector<std::string> refused = ids_with(database, "refused", prefix);
  if (refused.empty())
    throw std::invalid_argument(
        "expected the first digits of a run's id, or its values ('model.code=1-3-1-2, seed=1'), "
        "got '" +
        prefix + "': `lcsm query 'SELECT id FROM overview'` lists the ids");
  Statement reason(database, "SELECT reason FROM refused WHERE id = ?", refused[0]);
  reason.step();
  throw std::invalid_argument("run " + refused[0] + " is refused: " + reason.text(0));
}

std::vector<std::string> sweeps_with_runs(const Database& database) {
  return Statement(database, "SELECT DISTINCT sweep FROM points ORDER BY sweep").texts();
}

std::set<std::string> runs_of_sweep(const Database& database, std::string_view sweep) {
  return id_set(database, "SELECT id FROM runs JOIN points USING (run) WHERE sweep = ?", sweep);
}

std::set<std::string> existing_runs(const Database& database, std::string_view sweep,
                                    const std::set<std::string>& only) {
  if (only.empty() && !sweep.empty()) return runs_of_sweep(database, sweep);
  std::set<std::string> ids;
  for (std::string& id : Statement(database, "SELECT id FROM runs").texts())
    if (only.empty() || only.contains(id)) ids.insert(std::move(id));
  return ids;
}

std::set<std::string> runs_tagged(const Database& database, std::string_view tag) {
  return id_set(database, "SELECT id FROM runs JOIN tags USING (run) WHERE tag = ?", tag);
}

RunFacts facts_of(Database& database, const std::string& id) {
  const std::int64_t run = run_number(id);
  RunFacts facts;
  facts.id = id;
  Statement overview(database, "SELECT state, message, steps, attempts FROM runs WHERE run = ?",
                     run);
  if (!overview.step()) throw std::invalid_argument("expected a run, got '" + id + "'");
  facts.status = overview.text(0);
  facts.message = overview.text(1);
  facts.steps = overview.integer(2);
  facts.attempts = overview.integer(3);
  facts.sweeps =
      Statement(database, "SELECT sweep FROM points WHERE run = ? ORDER BY sweep", run).texts();
  facts.tags = Statement(database, "SELECT tag FROM tags WHERE run = ? ORDER BY tag", run).texts();
  facts.notes =
      rows_about(database, run, "SELECT name, text FROM notes WHERE run = ? ORDER BY name");
  facts.parameters = settings_of(
      database, "SELECT key, value, type FROM parameters WHERE run = ? ORDER BY key", run);
  facts.environment =
      settings_of(database,
                  "SELECT name, value, type FROM environments WHERE run = ?1 AND attempt = "
                  "(SELECT max(attempt) FROM attempts WHERE run = ?1) ORDER BY name",
                  run);
  facts.metrics =
      with_nan(rows_about(database, run,
                          "SELECT metric, last, last_step AS at, lowest, lowest_step AS at, "
                          "highest, highest_step AS at FROM summaries WHERE run = ?"),
               1);
  facts.evaluations = with_nan(
      rows_about(database, run,
                 "SELECT settings AS \"evaluated with\", metric, value, step FROM evaluations "
                 "WHERE run = ? ORDER BY settings, step, metric"),
      2);
  facts.attempt_list =
      rows_about(database, run,
                 "SELECT attempt, iif(a.ended NOT NULL, a.status, iif(attempt = (SELECT "
                 "max(attempt) FROM attempts WHERE run = ?1), r.state, 'interrupted')) AS status, "
                 "from_step AS \"from step\", a.steps AS \"to step\", "
                 "round(ended - started, 1) AS seconds FROM attempts a JOIN runs r USING (run) "
                 "WHERE run = ?1 ORDER BY attempt");
  facts.artefacts =
      rows_about(database, run, "SELECT kind, step, bytes, path FROM artefacts WHERE run = ?");
  return facts;
}

bool is_of_one_process(const std::string& name) {
  constexpr std::array kNames = {"argv", "boot", "pid", "started_ticks"};
  return std::find(kNames.begin(), kNames.end(), name) != kNames.end();
}

Grid difference(const RunFacts& a, const RunFacts& b) {
  constexpr std::size_t kStart = 8;
  Grid grid{{"part", "key", a.id.substr(0, kStart), b.id.substr(0, kStart)}, {}};
  add_differences(&grid, "parameter", a.parameters, b.parameters);
  add_differences(&grid, "environment", lasting(a.environment), lasting(b.environment));
  add_differences(&grid, "run", {{"status", a.status}, {"steps", std::to_string(a.steps)}},
                  {{"status", b.status}, {"steps", std::to_string(b.steps)}});
  add_differences(&grid, "metric", last_values(a.metrics), last_values(b.metrics));
  return grid;
}

Grid log_of(Database& database, const std::string& id) {
  return rows_about(
      database, run_number(id),
      "SELECT time, attempt, what, text FROM ("
      "SELECT started AS time, attempt, 0 AS rank, 0 AS seq, 'begins' AS what, "
      "  'from step ' || from_step AS text FROM attempts WHERE run = ?1 UNION ALL "
      "SELECT time, attempt, 1, seq, level, text FROM messages WHERE run = ?1 UNION ALL "
      "SELECT NULL, attempt, 1, seq, kind, path || ' at step ' || step FROM artefacts "
      "  WHERE run = ?1 UNION ALL "
      "SELECT ended, attempt, 2, 0, status, 'at step ' || steps || "
      "  iif(message = '', '', ': ' || message) FROM attempts WHERE run = ?1 AND ended NOT NULL) "
      "ORDER BY attempt, rank, seq");
}

}  // namespace results
