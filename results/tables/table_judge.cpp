// The best of each column, and what is not significantly worse.
#include <algorithm>
#include <cmath>
#include <limits>

#include "results/published/published.h"
#include "results/tables/table_steps.h"
#include "results/text/number_text.h"

namespace results {
namespace {

constexpr double kAlpha = 0.05;

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

// The correction covers every pair of rows, not only those with the best row, because the same
// numbers decided which row is the best.
class PairTests {
 public:
  PairTests(const Table& table, std::size_t column) {
    std::vector<BySeed> values;
    for (const auto& cells : table.cells) values.push_back(by_seed(cells[column]));
    for (std::size_t b = 1; b < table.rows.size(); ++b)
      for (std::size_t a = 0; a < b; ++a) {
        const SeedPairs pairs = paired(values[a], values[b]);
        p_.push_back(paired_t_test(pairs.a, pairs.b));
      }
    p_ = holm(p_);
  }
  // NaN for too few common seeds.
  double of(std::size_t a, std::size_t b) const {
    const auto [low, high] = std::minmax(a, b);
    return p_[high * (high - 1) / 2 + low];
  }

 private:
  std::vector<double> p_;
};

std::size_t best_row(const Table& table, std::size_t column) {
  std::size_t best = table.rows.size();
  for (std::size_t row = 0; row < table.rows.size(); ++row) {
    const double mean = table.cells[row][column].statistics.mean;
    if (std::isnan(mean)) continue;
    const double so_far =
        best == table.rows.size() ? std::nan("") : table.cells[best][column].statistics.mean;
    if (std::isnan(so_far) || (table.columns[column].lower_better ? mean < so_far : mean > so_far))
      best = row;
  }
  return best;
}

void judge_column(Table* table, std::size_t column) {
  const std::size_t best = best_row(*table, column);
  if (best == table->rows.size()) return;
  table->cells[best][column].best = true;
  const PairTests tests(*table, column);
  for (std::size_t row = 0; row < table->rows.size(); ++row)
    table->cells[row][column].not_worse = row != best && tests.of(row, best) >= kAlpha;
}

void add_differences(Table* table, const std::string& baseline) {
  const auto is_it = [&](const std::vector<std::string>& labels) {
    return std::any_of(labels.begin(), labels.end(),
                       [&](const std::string& label) { return same_value(label, baseline); });
  };
  const auto found = std::find_if(table->rows.begin(), table->rows.end(), is_it);
  if (found == table->rows.end())
    throw std::invalid_argument("expected a row as baseline, got '" + baseline + "'");
  const auto row = static_cast<std::size_t>(found - table->rows.begin());
  for (auto& cells : table->cells)
    for (std::size_t c = 0; c < cells.size(); ++c)
      if (const double d = cells[c].statistics.mean - table->cells[row][c].statistics.mean;
          !std::isnan(d))
        cells[c].difference = d;
}

// The paper's values for a row of this task.
std::vector<double> printed_for(const std::string& paper, const std::vector<std::string>& labels,
                                const std::string& task, const std::string& metric) {
  std::vector<double> printed;
  for (const PublishedValue& value : published_values())
    if (value.paper + "/" + value.table == paper && value.task == task &&
        value.split + "." + value.metric == metric &&
        std::find(labels.begin(), labels.end(), value.row) != labels.end())
      printed.push_back(value.value);
  return printed;
}

}  // namespace

SeedPairs common_seeds(const TableCell& a, const TableCell& b) {
  return paired(by_seed(a), by_seed(b));
}

void judge(Table* table, const TableSpec& spec) {
  bool judged = false;
  for (std::size_t column = 0; column < table->columns.size(); ++column) {
    if (!table->columns[column].is_metric || table->rows.size() < 2) continue;
    judge_column(table, column);
    judged = true;
  }
  if (!spec.baseline.empty()) add_differences(table, spec.baseline);
  if (judged)
    table->notes.push_back(
        {TableNote::About::kBest,
         {{"*", "best mean of its column;"},
          {"~",
           "not significantly worse: paired t-test over common seeds, Holm's correction over all "
           "pairs of the column, alpha 0.05. Unmarked: worse, or fewer than two common seeds"}}});
}

void add_published(Table* table, const TableRuns& runs) {
  if (runs.paper.empty()) return;
  std::map<std::string, std::string> task_of;
  for (const TableRun& run : runs.runs) task_of[run.id] = parameter(run, runs.roles.task);
  bool any = false;
  for (std::size_t row = 0; row < table->rows.size(); ++row)
    for (std::size_t column = 0; column < table->columns.size(); ++column) {
      TableCell& cell = table->cells[row][column];
      if (cell.samples.empty()) continue;
      std::vector<std::string> labels = table->rows[row];
      labels.insert(labels.end(), table->columns[column].labels.begin(),
                    table->columns[column].labels.end());
      const std::vector<double> printed =
          printed_for(runs.paper, labels, task_of[cell.samples[0].id],
                      parse_value(table->columns[column].value).metric);
      if (printed.size() != 1) continue;  // none, or several rows of the paper match
      cell.published = printed[0];
      table->columns[column].has_published = any = true;
    }
  if (any)
    table->notes.push_back(
        {TableNote::About::kPaper,
         {{"", "paper: as printed in " + runs.paper + ", and ours minus theirs"}}});
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
