#include <algorithm>
#include <map>
#include <unordered_map>

#include "lcsm/base/words.h"
#include "results/report/report.h"
#include "results/store/query.h"
#include "results/store/run_facts.h"
#include "results/tables/table_runs.h"
#include "results/text/number_text.h"

namespace results {

namespace {

constexpr int kWhole = 15;  // digits

// Numbers by size; the first of many.
std::string values_text(const std::set<std::string>& values) {
  constexpr std::size_t kMost = 12;
  std::vector<std::string> sorted(values.begin(), values.end());
  std::sort(sorted.begin(), sorted.end(), natural_less);
  const std::size_t more = sorted.size() - std::min(kMost, sorted.size());
  sorted.resize(sorted.size() - more);
  return lcsm::joined(sorted) + (more > 0 ? ", " + std::to_string(more) + " more" : "");
}

}  // namespace

Grid report_runs(Database& database, const Roles& roles, const std::string& sweep,
                 const std::set<std::string>& only) {
  if (existing_runs(database, sweep, only).empty()) return {{"run", "status"}, {}};
  TableSpec spec{.sweep = sweep, .scope = {.only = only}};
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

Grid report_sizes(Database& database, const Roles& roles, const Table& table) {
  std::map<std::string, std::int64_t> steps;
  std::map<std::string, std::map<std::string, std::string>> sizes;
  std::map<std::string, Parameters> parameters;
  Statement runs(database, "SELECT id, steps FROM runs");
  while (runs.step()) steps[runs.text(0)] = runs.integer(1);
  Statement metrics(database,
                    "SELECT id, metric, last FROM summaries JOIN runs USING (run) "
                    "WHERE metric IN ('params', 'state')");
  while (metrics.step())
    sizes[metrics.text(0)][metrics.text(1)] = short_number(metrics.real(2), kWhole);
  Statement settings(database, "SELECT id, key, value FROM settings");
  while (settings.step()) parameters[settings.text(0)][settings.text(1)] = settings.text(2);
  Grid grid{table.row_keys, {}};
  grid.headers.insert(grid.headers.end(), {"parameters", "state", "trained on, at most"});
  for (std::size_t row = 0; row < table.rows.size(); ++row) {
    std::set<std::string> counts, states, trained;
    for (const TableCell& cell : table.cells[row])
      for (const Sample& sample : cell.samples) {
        if (!sample.value || !steps.contains(sample.id)) continue;
        const auto& size = sizes[sample.id];
        if (const auto at = size.find("params"); at != size.end()) counts.insert(at->second);
        if (const auto at = size.find("state"); at != size.end()) states.insert(at->second);
        if (roles.trained != nullptr)
          trained.insert(roles.trained(steps[sample.id], parameters[sample.id]));
      }
    auto& line = grid.rows.emplace_back();
    for (const std::string& label : table.rows[row])
      line.emplace_back(shown_name(table.names, label));
    for (const auto* values : {&counts, &states, &trained}) line.emplace_back(values_text(*values));
  }
  return grid;
}

Grid report_setup(Database& database, const std::string& sweep, const std::set<std::string>& only) {
  const std::set<std::string> ids = existing_runs(database, sweep, only);
  std::map<std::string, std::set<std::string>> values;
  Statement select(database, "SELECT id, key, value FROM parameters JOIN runs USING (run)");
  while (select.step())
    if (ids.contains(select.text(0))) values[select.text(1)].insert(select.text(2));
  Grid grid{{"setting", "value"}, {}};
  std::set<std::string> counts;
  Statement sizes(database,
                  "SELECT id, last FROM summaries JOIN runs USING (run) WHERE metric = 'params'");
  while (sizes.step())
    if (ids.contains(sizes.text(0)) && !sizes.is_null(1))
      counts.insert(short_number(sizes.real(1), kWhole));
  if (!counts.empty()) grid.rows.push_back({"parameters of the model", values_text(counts)});
  for (const auto& [key, of_runs] : values) grid.rows.push_back({key, values_text(of_runs)});
  return grid;
}

Grid report_environments(Database& database, const std::string& sweep,
                         const std::set<std::string>& only) {
  const std::set<std::string> ids = existing_runs(database, sweep, only);
  Statement select(database,
                   "SELECT DISTINCT id, name, value FROM environments JOIN runs USING (run)");
  std::map<std::string, std::map<std::string, std::int64_t>> facts;  // name, value, runs
  while (select.step())
    if (ids.contains(select.text(0)) && !is_of_one_process(select.text(1)))
      ++facts[select.text(1)][select.text(2)];
  Grid grid{{"name", "value", "runs"}, {}};
  for (const auto& [name, values] : facts) {
    std::vector<std::pair<std::int64_t, std::string>> frequent;
    for (const auto& [value, runs] : values) frequent.emplace_back(-runs, value);
    std::sort(frequent.begin(), frequent.end());
    for (const auto& [runs, value] : frequent) grid.rows.push_back({name, value, -runs});
  }
  return grid;
}

Grid report_published(Database& database, const std::string& paper) {
  Statement select(database,
                   "SELECT row, task, metric, value, params_m AS 'params, M', note, read_in AS "
                   "'read in' FROM published WHERE name = ?1 ORDER BY number",
                   paper);
  return rows_of(select);
}

}  // namespace results
