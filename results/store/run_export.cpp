// One row per run, a column for every parameter and metric.
#include <cmath>
#include <map>
#include <stdexcept>
#include <variant>

#include "lcsm/base/nearest.h"
#include "results/store/query.h"
#include "results/store/run_facts.h"

namespace results {
namespace {

// Columns are added as they occur, sorted by name.
struct Sheet {
  std::map<std::int64_t, std::size_t> row_of_run;
  std::vector<std::vector<Cell>> heads;            // id, status ...
  std::vector<std::map<std::string, Cell>> cells;  // by column
  std::map<std::string, int> columns;
};

const char* column_of(const std::string& reduce) {
  for (const char* known : {"last", "lowest", "highest"})
    if (reduce == known) return known;
  throw std::invalid_argument("expected last, lowest or highest, got '" + reduce + "'");
}

// The runs of the sweep, or all runs.
constexpr const char* kChosen = "(?1 = '' OR run IN (SELECT run FROM points WHERE sweep = ?1))";

void add_runs(Database& database, const ExportOptions& options, Sheet* sheet) {
  Statement select(database,
                   std::string("SELECT run, id, state, steps, attempts FROM runs WHERE ") +
                       kChosen + " ORDER BY id",
                   options.sweep);
  const Grid grid = rows_of(select);
  for (const auto& row : grid.rows) {
    if (!options.only.empty() && !options.only.contains(std::get<std::string>(row[1]))) continue;
    sheet->row_of_run[std::get<std::int64_t>(row[0])] = sheet->heads.size();
    sheet->heads.emplace_back(row.begin() + 1, row.end());
  }
  sheet->cells.resize(sheet->heads.size());
  if (!sheet->heads.empty() || (options.sweep.empty() && options.only.empty())) return;
  if (options.sweep.empty())
    throw std::invalid_argument("expected runs that have started, but none of the chosen ones has");
  throw std::invalid_argument("expected a sweep with runs in this workspace, got '" +
                              options.sweep + "'" +
                              lcsm::did_you_mean(options.sweep, sweeps_with_runs(database)));
}

bool is_null(const Cell& cell) { return std::holds_alternative<std::monostate>(cell); }

// A metric that exists and is NULL is NaN.
void add_columns(Database& database, const std::string& sweep, const std::string& sql,
                 Sheet* sheet) {
  Statement select(database, sql + " WHERE " + kChosen, sweep);
  for (const auto& row : rows_of(select).rows) {
    const auto at = sheet->row_of_run.find(std::get<std::int64_t>(row[0]));
    if (at == sheet->row_of_run.end()) continue;
    const std::string& name = std::get<std::string>(row[1]);
    sheet->columns.emplace(name, 0);
    sheet->cells[at->second][name] = is_null(row[2]) ? Cell(std::nan("")) : row[2];
  }
}

}  // namespace

std::vector<std::string> exported_runs(Database& database, const ExportOptions& options) {
  Sheet sheet;
  add_runs(database, options, &sheet);
  std::vector<std::string> ids;
  for (const std::vector<Cell>& head : sheet.heads) ids.push_back(cell_text(head[0]));
  return ids;
}

Grid export_runs(Database& database, const ExportOptions& options) {
  Sheet sheet;
  add_runs(database, options, &sheet);
  add_columns(database, options.sweep, "SELECT run, key, value FROM parameters", &sheet);
  const std::string metrics =
      std::string("SELECT run, metric, ") + column_of(options.reduce) + " FROM summaries";
  Sheet with_metrics = sheet;
  with_metrics.columns.clear();
  add_columns(database, options.sweep, metrics, &with_metrics);
  Grid grid{{"id", "status", "steps", "attempts"}, {}};
  for (const auto* columns : {&sheet.columns, &with_metrics.columns})
    for (const auto& [name, unused] : *columns) grid.headers.push_back(name);
  for (std::size_t i = 0; i < sheet.heads.size(); ++i) {
    std::vector<Cell> row = sheet.heads[i];
    for (std::size_t c = row.size(); c < grid.headers.size(); ++c) {
      const auto found = with_metrics.cells[i].find(grid.headers[c]);
      row.push_back(found == with_metrics.cells[i].end() ? Cell{} : found->second);
    }
    grid.rows.push_back(std::move(row));
  }
  return grid;
}

}  // namespace results
