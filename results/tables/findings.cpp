#include "results/tables/findings.h"

#include <algorithm>
#include <cmath>

#include "lcsm/base/words.h"
#include "results/tables/table_steps.h"

namespace results {
namespace {

std::string name_of(const Table& table, std::size_t row) {
  return lcsm::joined_of(
      table.rows[row], [&](const std::string& label) { return shown_name(table.names, label); },
      " ");
}

// "; significantly worse: A, B"; "" for no rows.
std::string listed(const Table& table, const char* what, const Rows& rows) {
  constexpr std::size_t kMost = 8;
  if (rows.empty()) return "";
  std::vector<std::string> names;
  for (std::size_t i = 0; i < std::min(kMost, rows.size()); ++i)
    names.push_back(name_of(table, rows[i]));
  if (rows.size() > kMost) names.push_back(std::to_string(rows.size() - kMost) + " more");
  return std::string("; ") + what + ": " + lcsm::joined(names);
}

// " The largest of these models has 45 % more parameters than the smallest."; "" if they are alike.
std::string size_text(const Table& table, std::size_t column, const Rows& rows) {
  constexpr double kAlike = 0.05;
  const double excess = excess_of_params(table, column, rows);
  return excess <= std::max(kAlike, table.matched)
             ? ""
             : " The largest of these models has " + std::to_string(std::llround(100 * excess)) +
                   " % more parameters than the smallest.";
}

std::string finding(const Table& table, std::size_t column, const Rows& rows) {
  Rows worse, not_worse, unknown;
  std::vector<std::string> best;
  for (const std::size_t row : rows) {
    const TableCell& cell = table.cells[row][column];
    if (std::isnan(cell.statistics.mean)) continue;
    const bool untested = table.tests.empty() || has_mark(cell, Mark::kUntested);
    if (cell.best)
      best.push_back(name_of(table, row));
    else
      (untested ? unknown : cell.not_worse ? not_worse : worse).push_back(row);
  }
  if (best.empty()) return "";
  return header_of(table, table.columns[column]) + ": " + lcsm::joined(best) +
         (best.size() == 1 ? " is best" : " are best") +
         listed(table, "significantly worse", worse) +
         listed(table, "not significantly worse", not_worse) +
         listed(table, "no verdict", unknown) + "." + size_text(table, column, rows);
}

}  // namespace

std::vector<std::string> findings(const Table& table) {
  std::vector<std::string> all;
  if (table.statistic != Statistic::kMean) return all;
  for (std::size_t column = 0; column < table.columns.size(); ++column)
    if (table.columns[column].is_metric)
      for (const auto& [what, rows] : comparable_rows(table, column))
        if (std::string text = finding(table, column, rows); !text.empty())
          all.push_back(std::move(text));
  return all;
}

}  // namespace results
