// Computes differences and ratios to a named row.
#include <algorithm>
#include <cmath>
#include <functional>
#include <set>
#include <stdexcept>

#include "lcsm/base/nearest.h"
#include "lcsm/base/words.h"
#include "results/tables/table_steps.h"
#include "results/text/number_text.h"

namespace results {
namespace {

// The baseline of a row: of the rows with that name, the one whose other labels are equal; npos if
// there is none.
std::size_t baseline_of(const Table& table, std::size_t row, const std::string& baseline,
                        const Rows& named) {
  for (const std::size_t one : named) {
    bool same = true;
    for (std::size_t i = 0; i < table.row_keys.size(); ++i)
      same = same &&
             (table.rows[one][i] == table.rows[row][i] || same_value(table.rows[one][i], baseline));
    if (same) return one;
  }
  return named.size() == 1 ? named[0] : std::string::npos;
}

// Calls `take` for each cell and the cell of the row `name` in its column.
void for_each_pair(Table* table, const std::string& name, const char* what,
                   const std::function<void(TableCell&, const TableCell&)>& take) {
  const Rows against = baselines_of(*table, name, what);
  for (std::size_t row = 0; row < table->rows.size(); ++row)
    for (std::size_t c = 0; c < table->columns.size() && against[row] != std::string::npos; ++c)
      if (table->cells[row][c].task == table->cells[against[row]][c].task &&
          disagreements(table->cells[row][c], table->cells[against[row]][c]).empty() &&
          !are_of_unlike_machines(*table, c, row, against[row]))
        take(table->cells[row][c], table->cells[against[row]][c]);
}

bool have_equal_seeds(const TableCell& a, const TableCell& b) {
  const auto pairs = std::ssize(common_seeds(a, b).a);
  return pairs == a.statistics.n && pairs == b.statistics.n;
}

}  // namespace

double shown_value(const TableCell& cell) {
  return cell.estimate ? cell.estimate->value : cell.statistics.mean;
}

Rows baselines_of(const Table& table, const std::string& shown, const char* what) {
  const std::string& name = original_name(table.names, shown);
  Rows named, against;
  std::vector<std::string> names;
  for (std::size_t row = 0; row < table.rows.size(); ++row) {
    const std::vector<std::string>& labels = table.rows[row];
    names.insert(names.end(), labels.begin(), labels.end());
    if (std::any_of(labels.begin(), labels.end(),
                    [&](const std::string& label) { return same_value(label, name); }))
      named.push_back(row);
  }
  if (named.empty())
    throw std::invalid_argument(std::string("expected a row as ") + what + ", got " +
                                (name.empty()
                                     ? "none: name one with --baseline"
                                     : "'" + name + "'" + lcsm::did_you_mean(name, names)));
  for (std::size_t row = 0; row < table.rows.size(); ++row)
    against.push_back(baseline_of(table, row, name, named));
  return against;
}

bool is_of_a_machine(const std::string& value) {
  return value.starts_with("time.") || value.starts_with("host.");
}

bool are_of_unlike_machines(const Table& table, std::size_t column, std::size_t a, std::size_t b) {
  if (!is_of_a_machine(table.columns[column].value)) return false;
  const TableCell &first = table.cells[a][column], &second = table.cells[b][column];
  const bool both = first.statistics.n > 0 && second.statistics.n > 0;
  return has_mark(first, Mark::kMachines) || has_mark(second, Mark::kMachines) ||
         (both && first.machine != second.machine);
}

void compare_with_rows(Table* table, const TableSpec& spec) {
  bool unlike_seeds = false;
  if (!spec.baseline.empty())
    for_each_pair(table, spec.baseline, "baseline", [&](TableCell& cell, const TableCell& other) {
      double difference = shown_value(cell) - shown_value(other);
      if (std::isnan(difference)) return;
      if (table->statistic != Statistic::kIqm && !have_equal_seeds(cell, other)) {
        unlike_seeds = true;
        const Difference paired = difference_of({common_seeds(cell, other)});
        if (paired.n > 0) difference = paired.mean;
      }
      cell.difference = difference;
    });
  if (unlike_seeds)
    add_note(table,
             "minus baseline: over common seeds, where rows have different ones; of the "
             "means where no seeds can be paired");
  if (spec.relative.empty()) return;
  for_each_pair(table, spec.relative, "relative", [](TableCell& cell, const TableCell& other) {
    const double ratio = shown_value(cell) / shown_value(other);
    if (std::isfinite(ratio)) cell.ratio = ratio;
  });
  add_note(table, "relative: divided by the value of " + spec.relative +
                      "; speed and memory only where both were trained on one machine with as many "
                      "threads");
}

void note_machines(Table* table) {
  constexpr std::size_t kMost = 3;
  std::set<std::string> machines;
  for (std::size_t c = 0; c < table->columns.size(); ++c)
    for (const auto& row : table->cells)
      if (is_of_a_machine(table->columns[c].value) && !table->columns[c].mean &&
          !row[c].machine.empty())
        machines.insert(row[c].machine);
  if (machines.empty()) return;
  const std::string named = machines.size() > kMost
                                ? std::to_string(machines.size()) + " machines"
                                : lcsm::joined({machines.begin(), machines.end()}, "; ");
  add_note(table, "speed and memory: of " + named);
}

}  // namespace results
