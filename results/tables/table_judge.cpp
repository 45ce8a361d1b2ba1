// Marks the best of each column, and the rows that are not significantly worse.
#include <algorithm>
#include <cmath>
#include <map>
#include <set>

#include "lcsm/base/words.h"
#include "results/events/metric.h"
#include "results/tables/pair_tests.h"
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

using Rows = std::vector<std::size_t>;

// The position in `rows`; their number if none has a mean.
std::size_t best_of(const Table& table, std::size_t column, const Rows& rows) {
  std::size_t best = rows.size();
  for (std::size_t i = 0; i < rows.size(); ++i) {
    const double mean = table.cells[rows[i]][column].statistics.mean;
    if (std::isnan(mean)) continue;
    const double so_far =
        best == rows.size() ? mean : table.cells[rows[best]][column].statistics.mean;
    const bool better = table.columns[column].lower_better ? mean < so_far : mean > so_far;
    if (best == rows.size() || better) best = i;
  }
  return best;
}

// Groups rows that may be compared: by task and setting.
using Comparable = std::map<std::pair<std::string, std::map<std::string, std::string>>, Rows>;
Comparable comparable_rows(const Table& table, std::size_t column) {
  Comparable rows;
  for (std::size_t row = 0; row < table.rows.size(); ++row)
    if (const TableCell& cell = table.cells[row][column]; !cell.samples.empty())
      rows[{cell.task, cell.setting}].push_back(row);
  return rows;
}

// The findings of `judge` in the columns.
struct Judged {
  bool best = false, several = false;
  std::set<std::string> differ;      // parameters in which rows differ that were not compared
  std::vector<std::string> too_few;  // "valid.ppl above 0.41": where the seeds find nothing smaller
};

PairTests tests_of(const Table& table, std::size_t column) {
  return {table.rows.size(), [&](std::size_t a, std::size_t b) {
            const TableCell &first = table.cells[a][column], &second = table.cells[b][column];
            const bool alike = first.task == second.task && disagreements(first, second).empty();
            return alike ? common_seeds(first, second, table.columns[column]) : SeedPairs{};
          }};
}

void judge_rows(Table* table, std::size_t column, const Rows& rows, const PairTests& tests,
                Judged* judged) {
  const std::size_t best = best_of(*table, column, rows);
  if (best == rows.size() || rows.size() < 2) return;
  judged->best = true;
  const auto cell_of = [&](std::size_t i) -> TableCell& { return table->cells[rows[i]][column]; };
  cell_of(best).best = true;
  std::vector<double> found;
  double largest = 0;
  for (std::size_t i = 0; i < rows.size(); ++i) {
    if (i == best) continue;
    cell_of(i).not_worse = tests.p(rows[i], rows[best]) >= kAlpha;
    const double least = tests.least_found(rows[i], rows[best]);
    if (std::isnan(least)) continue;
    largest = std::max(largest, std::abs(tests.difference(rows[i], rows[best]).mean));
    if (cell_of(i).not_worse) found.push_back(least);
  }
  if (found.empty()) return;
  std::nth_element(found.begin(), found.begin() + std::ssize(found) / 2, found.end());
  const double typical = found[found.size() / 2];
  if (typical <= largest) return;
  const std::string name = header_of(*table, table->columns[column]);
  const bool none = is_share(parse_value(table->columns[column].value).metric) && typical > 1;
  judged->too_few.push_back(none ? name + ": none" : name + " above " + short_number(typical, 2));
}

void note_unlike(const std::set<std::string>& keys, Table* table) {
  if (keys.empty()) return;
  const std::vector<std::string> all(keys.begin(), keys.end());
  const std::string text = "rows that differ in " + lcsm::joined(all) +
                           " are not compared; --across " + lcsm::joined(all, ",") +
                           " would allow it";
  table->notes.push_back({TableNote::About::kBest, {{"", text}}});
}

}  // namespace

SeedPairs common_seeds(const TableCell& a, const TableCell& b, const TableColumn& column) {
  SeedPairs pairs;
  const BySeed of_a = by_seed(a);
  for (const auto& [seed, value] : by_seed(b))
    if (const auto other = of_a.find(seed); other != of_a.end()) {
      pairs.a.push_back(other->second);
      pairs.b.push_back(value);
    }
  pairs.share = is_share(parse_value(column.value).metric);
  if (pairs.share && !pairs.a.empty())
    pairs.least_sd = least_sd_of_shares(statistics_of(pairs.a).mean, statistics_of(pairs.b).mean,
                                        std::min(a.examples, b.examples));
  return pairs;
}

std::vector<std::string> disagreements(const TableCell& a, const TableCell& b) {
  std::vector<std::string> keys;
  for (const auto& [key, value] : a.setting)
    if (const auto other = b.setting.find(key); other == b.setting.end() || other->second != value)
      keys.push_back(key);
  return keys;
}

void judge(Table* table, const TableSpec& spec) {
  Judged judged;
  for (std::size_t column = 0; column < table->columns.size(); ++column) {
    if (!table->columns[column].is_metric) continue;
    const Comparable groups = comparable_rows(*table, column);
    const PairTests tests = tests_of(*table, column);
    judged.several = judged.several || groups.size() > 1;
    for (const auto& [what, rows] : groups) {
      const TableCell& first = table->cells[groups.begin()->second[0]][column];
      for (const std::string& key : disagreements(first, table->cells[rows[0]][column]))
        judged.differ.insert(key);
      judge_rows(table, column, rows, tests, &judged);
    }
  }
  compare_with_rows(table, spec);
  note_unlike(judged.differ, table);
  if (!judged.best) return;
  const std::string among = judged.several ? " among rows of its task and settings;" : ";";
  table->notes.push_back(
      {TableNote::About::kBest,
       {{"*", "best mean of its column" + among},
        {"~",
         "not significantly worse: paired t-test over common seeds, Holm's correction over all "
         "pairs of the column, alpha 0.05. Unmarked: worse, or not tested (fewer than three common "
         "seeds, or differences without spread)"}}});
  if (judged.too_few.empty()) return;
  constexpr std::size_t kMost = 3;
  std::string text = std::to_string(table->n) + " seeds find only differences in ";
  for (std::size_t i = 0; i < std::min(kMost, judged.too_few.size()); ++i)
    text += (i > 0 ? ", " : "") + judged.too_few[i];
  if (judged.too_few.size() > kMost)
    text += " and so in " + std::to_string(judged.too_few.size() - kMost) + " more columns";
  table->notes.push_back({TableNote::About::kBest, {{"", text + ": larger than any seen here"}}});
}

std::string signs_of(const TableCell& cell) {
  std::string signs;
  for (const Mark mark : cell.marks)
    for (const MarkRow& row : kMarks)
      if (row.mark == mark) signs += row.sign;
  return signs;
}

void add_notes(Table* table) {
  for (const MarkRow& row : kMarks) {
    bool used = false;
    for (const auto& cells : table->cells)
      for (const TableCell& cell : cells)
        used =
            used || std::find(cell.marks.begin(), cell.marks.end(), row.mark) != cell.marks.end();
    if (used)
      table->notes.push_back(
          {TableNote::About::kMark, {{std::string(row.sign), std::string(row.meaning)}}});
  }
}

}  // namespace results
