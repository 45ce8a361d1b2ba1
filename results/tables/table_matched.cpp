// Restricts comparisons to rows of about equal size, and reports how much other sizes differ.
#include <algorithm>
#include <cmath>

#include "results/tables/table_steps.h"
#include "results/text/number_text.h"

namespace results {
namespace {

// From the smallest model up: a set ends before the first one that is too large for it. A row of
// unknown size is a set by itself.
void match_in(std::size_t column, Rows rows, Table* table) {
  const auto size = [&](std::size_t row) {
    const double params = table->cells[row][column].params;
    return std::isnan(params) ? INFINITY : params;
  };
  std::stable_sort(rows.begin(), rows.end(),
                   [&](std::size_t a, std::size_t b) { return size(a) < size(b); });
  double smallest = 0;
  for (const std::size_t row : rows) {
    if (size(row) > smallest * (1 + table->matched)) smallest = size(row);
    table->cells[row][column].setting[std::string(kParams)] =
        std::isfinite(smallest) ? short_number(smallest, 15) : "unknown " + std::to_string(row);
  }
}

}  // namespace

void match_params(Table* table, const TableSpec& spec) {
  table->matched = spec.matched;
  if (spec.matched <= 0) return;
  for (std::size_t column = 0; column < table->columns.size(); ++column)
    for (const auto& [what, rows] : comparable_rows(*table, column)) match_in(column, rows, table);
}

double excess_of_params(const Table& table, std::size_t column, const Rows& rows) {
  double least = INFINITY, most = 0;
  for (const std::size_t row : rows) {
    const double size = table.cells[row][column].params;
    if (!(size > 0) || std::isnan(table.cells[row][column].statistics.mean)) continue;
    least = std::min(least, size);
    most = std::max(most, size);
  }
  return most > least ? most / least - 1 : 0;
}

std::string matching_rule(const Table& table) {
  return "only rows whose numbers of parameters differ by at most " +
         short_number(100 * table.matched, 3) + " % are compared";
}

}  // namespace results
