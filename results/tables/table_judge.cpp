// Marks the best of each column, and the rows that are not significantly worse.
#include <algorithm>
#include <cmath>
#include <limits>

#include "lcsm/base/nearest.h"
#include "results/published/published.h"
#include "results/tables/statistics.h"
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

SeedPairs paired(const BySeed& of_a, const BySeed& of_b) {
  SeedPairs pairs;
  auto a = of_a.begin();
  for (const auto& [seed, value] : of_b) {
    while (a != of_a.end() && a->first < seed) ++a;
    if (a == of_a.end() || a->first != seed) continue;
    pairs.a.push_back(a->second);
    pairs.b.push_back(value);
  }
  return pairs;
}

using Rows = std::vector<std::size_t>;

// The correction covers every pair of rows, not only those with the best row, because the same
// numbers decided which row is the best.
class PairTests {
 public:
  PairTests(const Table& table, std::size_t column, const Rows& rows) {
    std::vector<BySeed> values;
    for (const std::size_t row : rows) values.push_back(by_seed(table.cells[row][column]));
    for (std::size_t b = 1; b < rows.size(); ++b)
      for (std::size_t a = 0; a < b; ++a) {
        pairs_.push_back(paired(values[a], values[b]));
        p_.push_back(paired_t_test(pairs_.back().a, pairs_.back().b));
      }
    p_ = holm(p_);
    tests_ = std::count_if(p_.begin(), p_.end(), [](double p) { return !std::isnan(p); });
  }
  // The p of two positions in `rows`. NaN for too few common seeds.
  double of(std::size_t a, std::size_t b) const { return p_[place(a, b)]; }

  // The mean difference, and the smallest difference of the same spread that a test of this many
  // seeds would find. NaN for too few common seeds.
  std::pair<double, double> seen_and_found(std::size_t a, std::size_t b) const {
    const SeedPairs& pairs = pairs_[place(a, b)];
    std::vector<double> differences;
    for (std::size_t i = 0; i < pairs.a.size(); ++i) differences.push_back(pairs.a[i] - pairs.b[i]);
    const Statistics s = statistics_of(differences);
    if (s.n < 2) return {std::nan(""), std::nan("")};
    const double t = student_quantile(1 - kAlpha / static_cast<double>(2 * tests_),
                                      static_cast<double>(s.n - 1));
    return {std::abs(s.mean), t * s.sd / std::sqrt(static_cast<double>(s.n))};
  }

 private:
  static std::size_t place(std::size_t a, std::size_t b) {
    const auto [low, high] = std::minmax(a, b);
    return high * (high - 1) / 2 + low;
  }

  std::vector<SeedPairs> pairs_;
  std::vector<double> p_;
  std::int64_t tests_ = 0;
};

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

// Groups rows by task: numbers of different tasks are not compared.
std::map<std::string, Rows> rows_by_task(const Table& table, std::size_t column) {
  std::map<std::string, Rows> rows;
  for (std::size_t row = 0; row < table.rows.size(); ++row)
    if (const TableCell& cell = table.cells[row][column]; !cell.samples.empty())
      rows[cell.task].push_back(row);
  return rows;
}

// The findings of `judge` in the columns.
struct Judged {
  bool best = false, several_tasks = false;
  std::vector<std::string> too_few;  // "valid.ppl above 0.41": where the seeds find nothing smaller
};

void judge_rows(Table* table, std::size_t column, const Rows& rows, Judged* judged) {
  const std::size_t best = best_of(*table, column, rows);
  if (best == rows.size() || rows.size() < 2) return;
  judged->best = true;
  table->cells[rows[best]][column].best = true;
  const PairTests tests(*table, column, rows);
  std::vector<double> found;
  double largest = 0;
  for (std::size_t i = 0; i < rows.size(); ++i) {
    if (i == best) continue;
    TableCell& cell = table->cells[rows[i]][column];
    cell.not_worse = tests.of(i, best) >= kAlpha;
    const auto [seen, least] = tests.seen_and_found(i, best);
    if (std::isnan(seen)) continue;
    largest = std::max(largest, seen);
    if (cell.not_worse) found.push_back(least);
  }
  if (found.empty()) return;
  std::nth_element(found.begin(), found.begin() + std::ssize(found) / 2, found.end());
  const double typical = found[found.size() / 2];
  if (typical > largest)
    judged->too_few.push_back(header_of(*table, table->columns[column]) + " above " +
                              short_number(typical, 2));
}

}  // namespace

SeedPairs common_seeds(const TableCell& a, const TableCell& b) {
  return paired(by_seed(a), by_seed(b));
}

void judge(Table* table, const TableSpec& spec) {
  Judged judged;
  for (std::size_t column = 0; column < table->columns.size(); ++column) {
    if (!table->columns[column].is_metric) continue;
    const std::map<std::string, Rows> by_task = rows_by_task(*table, column);
    judged.several_tasks = judged.several_tasks || by_task.size() > 1;
    for (const auto& [task, rows] : by_task) judge_rows(table, column, rows, &judged);
  }
  compare_with_rows(table, spec);
  if (!judged.best) return;
  table->notes.push_back(
      {TableNote::About::kBest,
       {{"*", std::string("best mean of its column") + (judged.several_tasks ? " and task;" : ";")},
        {"~",
         "not significantly worse: paired t-test over common seeds, Holm's correction over all "
         "pairs of the column, alpha 0.05. Unmarked: worse, or fewer than two common seeds"}}});
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
