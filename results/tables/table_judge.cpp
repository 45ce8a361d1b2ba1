// Marks the best of each column, and the rows that are not significantly worse.
#include <algorithm>
#include <cmath>
#include <limits>
#include <map>
#include <set>
#include <tuple>

#include "lcsm/base/words.h"
#include "results/tables/table_steps.h"
#include "results/text/number_text.h"

namespace results {
namespace {

using BySeed = std::map<std::string, double>;

// Empty if a seed has several values: they cannot be paired.
BySeed by_seed(const TableCell& cell) {
  BySeed values;
  for (const Sample& sample : cell.samples)
    if (sample.value && !values.insert({sample.seed, *sample.value}).second) return {};
  return values;
}

// Rows of a column that are compared with each other: two or more.
struct Compared {
  std::size_t column = 0;
  Rows rows;
  std::size_t best = 0;  // one of `rows`
};

std::size_t best_of(const Table& table, std::size_t column, const Rows& rows) {
  return *std::min_element(rows.begin(), rows.end(), [&](std::size_t a, std::size_t b) {
    const double first = table.cells[a][column].statistics.mean;
    const double second = table.cells[b][column].statistics.mean;
    return table.columns[column].lower_better ? first < second : first > second;
  });
}

// The findings of `judge` in the columns.
struct Judged {
  std::vector<Compared> all;
  std::vector<TableCell*> alone;
  bool several = false;          // sets of rows in a column
  std::set<std::string> differ;  // parameters in which rows differ that were not compared
};

void find_compared(Table* table, std::size_t column, Judged* judged) {
  Comparable groups = comparable_rows(*table, column);
  judged->several = judged->several || groups.size() > 1;
  const TableCell* of_task = nullptr;
  for (auto& [what, rows] : groups) {
    const TableCell& first = table->cells[rows[0]][column];
    if (of_task == nullptr || of_task->task != first.task) of_task = &first;
    for (const std::string& key : disagreements(*of_task, first)) judged->differ.insert(key);
    Rows with_mean = rows;
    std::erase_if(with_mean, [&](std::size_t row) {
      return std::isnan(table->cells[row][column].statistics.mean);
    });
    if (with_mean.size() == 1) judged->alone.push_back(&table->cells[with_mean[0]][column]);
    if (with_mean.size() > 1)
      judged->all.push_back({column, with_mean, best_of(*table, column, with_mean)});
  }
}

Difference difference_in(const Table& table, std::size_t column, std::size_t a, std::size_t b) {
  return difference_of({common_seeds(table.cells[a][column], table.cells[b][column])});
}

auto place(const PairTest& test) { return std::tuple(test.column, test.a, test.b); }

// Tests all pairs of compared rows, not only pairs with the best: the tested values also choose the
// best.
std::vector<PairTest> all_tests(const Table& table, const std::vector<Compared>& all) {
  std::vector<PairTest> tests;
  for (const Compared& one : all)
    for (std::size_t i = 0; i < one.rows.size(); ++i)
      for (std::size_t j = i + 1; j < one.rows.size(); ++j)
        if (const double p = difference_in(table, one.column, one.rows[i], one.rows[j]).p;
            !std::isnan(p))
          tests.push_back({one.column, one.rows[i], one.rows[j], p});
  std::sort(tests.begin(), tests.end(),
            [](const PairTest& x, const PairTest& y) { return place(x) < place(y); });
  std::vector<double> p;
  for (const PairTest& test : tests) p.push_back(test.p);
  p = holm(p);
  for (std::size_t i = 0; i < tests.size(); ++i) tests[i].p = p[i];
  return tests;
}

// NaN if these rows are not tested.
double p_of(const Table& table, std::size_t column, std::size_t a, std::size_t b) {
  const PairTest wanted{column, std::min(a, b), std::max(a, b)};
  const auto at =
      std::lower_bound(table.tests.begin(), table.tests.end(), wanted,
                       [](const PairTest& x, const PairTest& y) { return place(x) < place(y); });
  const bool there = at != table.tests.end() && place(*at) == place(wanted);
  return there ? at->p : std::numeric_limits<double>::quiet_NaN();
}

void mark_rows(const Compared& one, Table* table) {
  for (const std::size_t row : one.rows) {
    TableCell& cell = table->cells[row][one.column];
    cell.best = are_tied(cell.statistics.mean, table->cells[one.best][one.column].statistics.mean);
    if (cell.best) continue;
    const double p = p_of(*table, one.column, row, one.best);
    if (std::isnan(p) && !table->tests.empty()) cell.marks.push_back(Mark::kUntested);
    // Common seeds alone may say the opposite of the means.
    const double lead = difference_in(*table, one.column, row, one.best).mean;
    const bool ahead = table->columns[one.column].lower_better ? lead < 0 : lead > 0;
    cell.not_worse = !std::isnan(p) && (p >= kAlpha || ahead);
  }
}

// "one above 0.41 in valid.ppl", if no difference was found among these rows: the smallest
// difference from the best that the tests would probably have found, at the typical spread. Else
// "". Adds the number of seeds of each test to `seeds`.
std::string found_above(const Table& table, const Compared& one, std::set<std::int64_t>* seeds) {
  std::vector<double> least;
  std::set<std::int64_t> pairs;
  double range = 0;
  const double alpha = kAlpha / static_cast<double>(table.tests.size());
  for (const std::size_t row : one.rows) {
    const double p = p_of(table, one.column, row, one.best);
    if (p < kAlpha) return "";
    if (std::isnan(p)) continue;
    const Difference difference = difference_in(table, one.column, row, one.best);
    least.push_back(detectable(difference.error, difference.n, alpha));
    range = difference.range;
    pairs.insert(difference.n);
  }
  if (least.empty()) return "";
  seeds->merge(pairs);
  std::nth_element(least.begin(), least.begin() + std::ssize(least) / 2, least.end());
  const double typical = least[least.size() / 2];
  return (typical < range ? "one above " + short_number(typical, 2) : std::string("none")) +
         " in " + header_of(table, table.columns[one.column]);
}

void note_power(const std::vector<Compared>& all, Table* table) {
  constexpr std::size_t kMost = 3;
  std::vector<std::string> found;
  std::set<std::int64_t> seeds;
  for (const Compared& one : all)
    if (std::string text = found_above(*table, one, &seeds); !text.empty())
      found.push_back(std::move(text));
  if (found.empty()) return;
  const std::size_t more = found.size() - std::min(kMost, found.size());
  found.resize(found.size() - more);
  add_note(table,
           "no difference from the best was found: with power " + short_number(kPower, 2) + ", " +
               (seeds.size() == 1 ? std::to_string(*seeds.begin()) : "the common") +
               " seeds find " + lcsm::joined(found) +
               (more > 0 ? ", and so on in " + lcsm::counted(more, "more column") : ""),
           TableNote::About::kBest);
}

void note_best(const Judged& judged, Table* table) {
  const std::string best = std::string("best mean of its column") +
                           (judged.several ? " among the rows that it is compared with;" : ";");
  if (table->tests.empty()) {
    table->notes.push_back(
        {TableNote::About::kBest,
         {{"*", best + " no test: fewer than three common seeds, or no spread to test with"}}});
    return;
  }
  const std::size_t tests = table->tests.size();
  table->notes.push_back(
      {TableNote::About::kBest,
       {{"*", best},
        {"~", "not significantly worse: paired t-test over common seeds, " +
                  (tests > 1 ? "Holm's correction over the " + std::to_string(tests) +
                                   " tests of this table, "
                             : std::string()) +
                  "alpha 0.05. Unmarked: significantly worse"}}});
  note_power(judged.all, table);
}

void note_unlike(std::set<std::string> keys, Table* table) {
  keys.erase(std::string(kMeanOf));
  if (keys.erase(std::string(kParams)) > 0)
    add_note(table, matching_rule(*table), TableNote::About::kBest);
  if (keys.empty()) return;
  const std::vector<std::string> all(keys.begin(), keys.end());
  add_note(table,
           "rows that differ in " + lcsm::joined(all) + " are not compared; --across " +
               lcsm::joined(all, ",") + " would allow it",
           TableNote::About::kBest);
}

}  // namespace

SeedPairs common_seeds(const TableCell& a, const TableCell& b) {
  SeedPairs pairs;
  const BySeed of_a = by_seed(a);
  for (const auto& [seed, value] : by_seed(b))
    if (const auto other = of_a.find(seed); other != of_a.end()) {
      pairs.a.push_back(other->second);
      pairs.b.push_back(value);
    }
  pairs.scale = a.scale;
  pairs.scale.examples = std::min(a.scale.examples, b.scale.examples);
  return pairs;
}

Comparable comparable_rows(const Table& table, std::size_t column) {
  Comparable rows;
  for (std::size_t row = 0; row < table.rows.size(); ++row)
    if (const TableCell& cell = table.cells[row][column]; !cell.samples.empty())
      rows[{cell.task, cell.setting}].push_back(row);
  return rows;
}

std::vector<std::string> disagreements(const TableCell& a, const TableCell& b) {
  std::vector<std::string> keys;
  for (const auto& [key, value] : a.setting)
    if (const auto other = b.setting.find(key);
        other == b.setting.end() ? a.task == b.task : other->second != value)
      keys.push_back(key);
  return keys;
}

void note_compared(Table* table, const NoteOfCells& note_of) {
  for (std::size_t column = 0; column < table->columns.size(); ++column) {
    if (!table->columns[column].is_metric) continue;
    for (const auto& [what, rows] : comparable_rows(*table, column)) {
      std::vector<const TableCell*> cells;
      for (const std::size_t row : rows) cells.push_back(&table->cells[row][column]);
      const std::string note = cells.size() < 2 ? "" : note_of(cells);
      if (!note.empty())
        return add_note(table, "rows are compared although " + note, TableNote::About::kBest);
    }
  }
}

void note_programs(Table* table) {
  note_compared(table, [](const std::vector<const TableCell*>& cells) -> std::string {
    std::set<std::string> programs;
    for (const TableCell* cell : cells)
      programs.insert(cell->programs.begin(), cell->programs.end());
    if (programs.size() < 2) return "";
    return "different program versions trained them: --cell ROW,COLUMN shows the commits";
  });
}

void judge(Table* table, const TableSpec& spec) {
  Judged judged;
  for (std::size_t column = 0; column < table->columns.size(); ++column)
    if (table->columns[column].is_metric) find_compared(table, column, &judged);
  table->tests = all_tests(*table, judged.all);
  for (const Compared& one : judged.all) mark_rows(one, table);
  if (!judged.all.empty())  // else no cell has a sign that another one could lack
    for (TableCell* cell : judged.alone) cell->marks.push_back(Mark::kAlone);
  compare_with_rows(table, spec);
  note_programs(table);
  note_unlike(judged.differ, table);
  if (!judged.all.empty()) note_best(judged, table);
}

void add_note(Table* table, const std::string& text, TableNote::About about) {
  table->notes.push_back({about, {{"", text}}});
}

bool has_mark(const TableCell& cell, Mark mark) {
  return std::find(cell.marks.begin(), cell.marks.end(), mark) != cell.marks.end();
}

std::string signs_of(const TableCell& cell) {
  return lcsm::joined_of(
      cell.marks, [](Mark mark) { return row_of(mark).sign; }, ",");
}

void add_notes(Table* table) {
  for (const MarkRow& row : kMarks) {
    bool used = false;
    std::set<std::string> keys;
    for (const auto& cells : table->cells)
      for (const TableCell& cell : cells) {
        used = used || has_mark(cell, row.mark);
        if (row.mark == Mark::kMixed) keys.insert(cell.mixed.begin(), cell.mixed.end());
      }
    const std::string which = keys.empty() ? "" : ": " + lcsm::joined({keys.begin(), keys.end()});
    if (used)
      table->notes.push_back(
          {TableNote::About::kMark, {{std::string(row.sign), std::string(row.meaning) + which}}});
  }
}

}  // namespace results
