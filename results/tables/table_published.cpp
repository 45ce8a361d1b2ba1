// Puts the numbers of a sweep's paper beside ours.
#include <algorithm>
#include <array>
#include <set>

#include "lcsm/base/words.h"
#include "results/published/published.h"
#include "results/tables/table_steps.h"

namespace results {
namespace {

using Labels = std::vector<std::string>;

// A paper's mean over its tasks has the task name "lra-avg" in our files.
constexpr std::string_view kMeanOfTasks = "-avg";
// The split of quotients by a row, as TableSpec::relative shows them.
constexpr std::string_view kRelative = "relative.";

// Papers print these in percent.
constexpr std::array<std::string_view, 4> kInPercent = {"accuracy", "accuracy_mismatched", "f1",
                                                        "mcc"};

double printed_value(const PublishedValue& value) {
  const bool percent = std::ranges::find(kInPercent, value.metric) != kInPercent.end();
  return percent ? value.value / 100 : value.value;
}

bool is_in(const PublishedValue& value, const std::string& paper, const std::string& metric) {
  return value.paper + "/" + value.table == paper && value.split + "." + value.metric == metric;
}

bool is_of(const PublishedValue& value, const std::string& paper, const Labels& labels,
           const std::string& metric) {
  return is_in(value, paper, metric) && lcsm::has_word(labels, value.row);
}

using Printed = std::optional<double>;

// None, too, if several rows of the paper match.
Printed the_only(const std::vector<double>& printed) {
  return printed.size() == 1 ? Printed(printed[0]) : Printed();
}

// The paper's value for a row of this task.
Printed printed_for(const std::string& paper, const Labels& labels, const std::string& task,
                    const std::string& metric) {
  std::vector<double> printed;
  for (const PublishedValue& value : published_values())
    if (is_of(value, paper, labels, metric) && value.task == task)
      printed.push_back(printed_value(value));
  return the_only(printed);
}

// The paper's mean over tasks, if it is over these tasks.
Printed printed_mean(const std::string& paper, const Labels& labels, const std::string& tasks,
                     const std::string& metric) {
  std::vector<double> printed;
  std::set<std::string> of_paper;
  for (const PublishedValue& value : published_values()) {
    if (!is_of(value, paper, labels, metric)) continue;
    if (value.task.ends_with(kMeanOfTasks))
      printed.push_back(printed_value(value));
    else
      of_paper.insert(value.task);
  }
  return lcsm::joined({of_paper.begin(), of_paper.end()}) == tasks ? the_only(printed) : Printed();
}

// The metric that a paper would have to print for a column, with the settings of an evaluation. No
// paper prints a value at a step.
std::string metric_of(const TableColumn& column) {
  using enum Reduction::How;
  const Reduction value = parse_value(column.value);
  return value.how == kEvaluated || value.how == kStep ? column.value : value.metric;
}

void put_printed(const std::string& paper, const Labels& row, TableColumn* column,
                 TableCell* cell) {
  Labels labels = row;
  labels.insert(labels.end(), column->labels.begin(), column->labels.end());
  const std::string metric = metric_of(*column);
  cell->published = column->mean ? printed_mean(paper, labels, cell->task, metric)
                                 : printed_for(paper, labels, cell->task, metric);
  if (cell->published) column->has_published = true;
  if (cell->published && cell->as_paper) column->as_paper = true;
  if (cell->ratio)
    cell->published_ratio = printed_for(paper, labels, cell->task, std::string(kRelative) + metric);
}

bool is_as_paper(const TableCell& cell, const TableSpec& spec) {
  if (!spec.scope.as_paper) return true;
  for (const Sample& sample : cell.samples)
    for (std::string id : lcsm::words_of(sample.id)) {  // "A, B": of a mean
      if (id.ends_with(',')) id.pop_back();
      if (!spec.scope.as_paper->contains(id)) return false;
    }
  return true;
}

// The models that the paper prints in this table and that have no row here, in the paper's order.
std::vector<std::string> other_models(const Table& table, const std::string& paper) {
  std::vector<std::string> names;
  for (const PublishedValue& value : published_values())
    for (const TableColumn& column : table.columns)
      if (is_in(value, paper, metric_of(column)) && !lcsm::has_word(names, value.row) &&
          std::find(table.rows.begin(), table.rows.end(), Labels{value.row}) == table.rows.end())
        names.push_back(value.row);
  return names;
}

// A row without runs, with the tasks that the other rows have.
std::vector<TableCell> empty_row(const Table& table) {
  std::vector<TableCell> cells(table.columns.size());
  for (std::size_t c = 0; c < cells.size(); ++c) {
    cells[c].statistics = statistics_of({});
    for (const auto& row : table.cells)
      if (cells[c].task.empty()) cells[c].task = row[c].task;
  }
  return cells;
}

void add_other_models(const std::string& paper, Table* table) {
  for (const std::string& name : other_models(*table, paper)) {
    std::vector<TableCell> cells = empty_row(*table);
    bool any = false;
    for (std::size_t c = 0; c < cells.size(); ++c) {
      put_printed(paper, {name}, &table->columns[c], &cells[c]);
      any = any || cells[c].published;
    }
    if (!any) continue;
    table->rows.push_back({name});
    table->cells.push_back(std::move(cells));
  }
}

void add_paper_note(Table* table, const std::string& paper) {
  bool same = false, other = false, ratios = false;
  for (const TableColumn& column : table->columns)
    (column.as_paper ? same : other) |= column.has_published;
  for (const auto& row : table->cells)
    for (const TableCell& cell : row) ratios = ratios || cell.published_ratio;
  std::string text;
  if (same) text = "paper: as printed in " + paper + ", and ours minus theirs";
  if (other)
    text += (same ? "; " : "") + std::string("paper, other task: as printed in ") + paper +
            ", of runs with other data, sizes or steps than these: not comparable";
  if (ratios)
    text += (text.empty() ? "" : "; ") + std::string("paper's: as printed in ") + paper +
            ", of other machines";
  if (!text.empty()) add_note(table, text, TableNote::About::kPaper);
}

}  // namespace

void add_published(Table* table, const std::string& paper, const Roles& roles,
                   const TableSpec& spec) {
  if (paper.empty()) return;
  for (std::size_t row = 0; row < table->rows.size(); ++row)
    for (std::size_t c = 0; c < table->columns.size(); ++c) {
      TableCell& cell = table->cells[row][c];
      if (cell.samples.empty()) continue;
      cell.as_paper = is_as_paper(cell, spec);
      put_printed(paper, table->rows[row], &table->columns[c], &cell);
    }
  const bool by_model = table->row_keys == Labels{std::string(roles.models[0])};
  if (by_model && !spec.numbers && spec.sweeps.empty() && spec.where.empty())
    add_other_models(paper, table);
  add_paper_note(table, paper);
}

}  // namespace results
