#include <unordered_map>

#include "results/report/report.h"
#include "results/store/query.h"
#include "results/tables/table_runs.h"

namespace results {

namespace {

bool has_runs(const Database& database, const std::string& sweep) {
  Statement select(database,
                   "SELECT 1 FROM runs WHERE ?1 = '' OR run IN "
                   "(SELECT run FROM points WHERE sweep = ?1) LIMIT 1");
  select.bind_all(std::string_view(sweep));
  return select.step();
}

}  // namespace

Grid report_runs(Database& database, const Roles& roles, const std::string& sweep) {
  if (!has_runs(database, sweep)) return {{"run", "status"}, {}};
  TableSpec spec{.sweep = sweep};
  const TableRuns all = load_runs(database, roles, &spec);
  Grid grid{{"run"}, {}};
  grid.headers.insert(grid.headers.end(), all.varying.begin(), all.varying.end());
  for (const char* name : {"status", "steps", "attempts", "seconds", "message"})
    grid.headers.emplace_back(name);
  std::unordered_map<std::string, const TableRun*> known;
  for (const TableRun& run : all.runs) known[run.id] = &run;
  Statement select(database,
                   "SELECT id, status, steps, attempts, round(seconds), message FROM overview "
                   "ORDER BY id");
  while (select.step()) {
    const auto run = known.find(select.text(0));
    if (run == known.end()) continue;
    auto& row = grid.rows.emplace_back();
    row.emplace_back(select.text(0).substr(0, 8));
    for (const std::string& key : all.varying) row.emplace_back(parameter(*run->second, key));
    row.emplace_back(select.text(1));
    row.emplace_back(select.integer(2));
    row.emplace_back(select.integer(3));
    if (select.is_null(4))
      row.emplace_back();
    else
      row.emplace_back(static_cast<std::int64_t>(select.real(4)));
    row.emplace_back(select.text(5));
  }
  return grid;
}

Grid report_environments(Database& database, const std::string& sweep) {
  Statement select(
      database,
      "SELECT name, value, count(DISTINCT run) AS runs FROM environments WHERE ?1 = '' OR run IN "
      "(SELECT run FROM points WHERE sweep = ?1) GROUP BY name, value ORDER BY name, runs DESC, "
      "value");
  select.bind_all(std::string_view(sweep));
  return rows_of(select);
}

Grid report_published(Database& database, const std::string& paper) {
  Statement select(database,
                   "SELECT row, task, metric, value, params_m AS 'params, M', note, read_in AS "
                   "'read in' FROM published WHERE name = ?1 ORDER BY number");
  select.bind_all(std::string_view(paper));
  return rows_of(select);
}

}  // namespace results
