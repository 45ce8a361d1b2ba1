// Bootstrap statistics in the place of means.
#include <algorithm>
#include <stdexcept>

#include "lcsm/base/nearest.h"
#include "lcsm/base/row_names.h"
#include "lcsm/base/words.h"
#include "results/tables/table_steps.h"

namespace results {
namespace {

bool has_values(const TableCell& cell) {
  return !cell.strata.empty() && std::none_of(cell.strata.begin(), cell.strata.end(),
                                              [](const auto& values) { return values.empty(); });
}

double shown_estimate(const Table& table, std::size_t row, std::size_t column) {
  return table.cells[row][column].estimate->value;
}

void improve(const Table& table, const Rows& against, std::size_t row, std::size_t column,
             TableCell* cell) {
  if (against[row] == std::string::npos || against[row] == row) return;
  const TableCell& other = table.cells[against[row]][column];
  if (!has_values(other) || cell->task != other.task || !disagreements(*cell, other).empty())
    return;
  cell->estimate = table.columns[column].lower_better
                       ? bootstrap(other.strata, cell->strata, probability_above)
                       : bootstrap(cell->strata, other.strata, probability_above);
}

void mark_best(std::size_t column, Table* table) {
  const bool lower = table->columns[column].lower_better;
  for (auto [what, rows] : comparable_rows(*table, column)) {
    std::erase_if(rows, [&](std::size_t row) { return !table->cells[row][column].estimate; });
    if (rows.size() < 2) continue;
    const std::size_t best = *std::min_element(rows.begin(), rows.end(), [&](auto a, auto b) {
      const double first = shown_estimate(*table, a, column),
                   second = shown_estimate(*table, b, column);
      return lower ? first < second : first > second;
    });
    for (const std::size_t row : rows)
      table->cells[row][column].best =
          are_tied(shown_estimate(*table, row, column), shown_estimate(*table, best, column));
  }
}

}  // namespace

const StatisticRow& statistic_named(std::string_view name) {
  if (name.empty()) return kStatistics[0];
  if (const StatisticRow* row = lcsm::row_named(kStatistics, name); row != nullptr) return *row;
  std::vector<std::string> names;
  for (const StatisticRow& row : kStatistics) names.emplace_back(row.name);
  throw std::invalid_argument("expected one of " + lcsm::joined(names) + " as statistic, got '" +
                              std::string(name) + "'" +
                              lcsm::did_you_mean(std::string(name), names));
}

void estimate_cells(Table* table, const TableSpec& spec) {
  const StatisticRow& row_of_statistic = statistic_named(spec.statistic);
  table->statistic = row_of_statistic.statistic;
  const bool improvement = table->statistic == Statistic::kImprovement;
  Rows against;
  if (improvement) against = baselines_of(*table, spec.baseline, "baseline to improve on");
  for (std::size_t column = 0; column < table->columns.size(); ++column) {
    if (!table->columns[column].is_metric) continue;
    for (std::size_t row = 0; row < table->rows.size(); ++row) {
      TableCell& cell = table->cells[row][column];
      if (!has_values(cell)) continue;
      if (improvement)
        improve(*table, against, row, column, &cell);
      else
        cell.estimate = bootstrap(
            cell.strata, table->statistic == Statistic::kIqm ? interquartile_mean : mean_of_all);
    }
    if (spec.judged && !improvement) mark_best(column, table);
  }
  if (!improvement) compare_with_rows(table, spec);
  if (spec.judged) note_programs(table);
  const std::string best(row_of_statistic.best);
  TableNote note{TableNote::About::kBest, {{"", std::string(row_of_statistic.help)}}};
  if (improvement) note.parts[0].text += " (baseline: " + spec.baseline + ")";
  if (!best.empty()) {
    note.parts[0].text += ";";
    note.parts.push_back(
        {"*", best + " of its column among the rows that it is compared with; no test is made"});
  }
  table->notes.push_back(std::move(note));
}

}  // namespace results
