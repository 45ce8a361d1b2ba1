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

// Papers print these in percent.
constexpr std::array<std::string_view, 4> kInPercent = {"accuracy", "accuracy_mismatched", "f1",
                                                        "mcc"};

double printed_value(const PublishedValue& value) {
  const bool percent = std::ranges::find(kInPercent, value.metric) != kInPercent.end();
  return percent ? value.value / 100 : value.value;
}

bool is_of(const PublishedValue& value, const std::string& paper, const Labels& labels,
           const std::string& metric) {
  return value.paper + "/" + value.table == paper && value.split + "." + value.metric == metric &&
         std::find(labels.begin(), labels.end(), value.row) != labels.end();
}

// The paper's values for a row of this task.
std::vector<double> printed_for(const std::string& paper, const Labels& labels,
                                const std::string& task, const std::string& metric) {
  std::vector<double> printed;
  for (const PublishedValue& value : published_values())
    if (is_of(value, paper, labels, metric) && value.task == task)
      printed.push_back(printed_value(value));
  return printed;
}

// The paper's mean over tasks, where it is over these.
std::vector<double> printed_mean(const std::string& paper, const Labels& labels,
                                 const std::string& tasks, const std::string& metric) {
  std::vector<double> printed;
  std::set<std::string> of_paper;
  for (const PublishedValue& value : published_values()) {
    if (!is_of(value, paper, labels, metric)) continue;
    if (value.task.ends_with(kMeanOfTasks))
      printed.push_back(printed_value(value));
    else
      of_paper.insert(value.task);
  }
  return lcsm::joined({of_paper.begin(), of_paper.end()}) == tasks ? printed
                                                                   : std::vector<double>();
}

}  // namespace

void add_published(Table* table, const std::string& paper) {
  if (paper.empty()) return;
  bool any = false;
  for (std::size_t row = 0; row < table->rows.size(); ++row)
    for (std::size_t c = 0; c < table->columns.size(); ++c) {
      TableCell& cell = table->cells[row][c];
      TableColumn& column = table->columns[c];
      if (cell.samples.empty()) continue;
      Labels labels = table->rows[row];
      labels.insert(labels.end(), column.labels.begin(), column.labels.end());
      const std::string metric = parse_value(column.value).metric;
      const std::vector<double> printed = column.mean
                                              ? printed_mean(paper, labels, cell.task, metric)
                                              : printed_for(paper, labels, cell.task, metric);
      if (printed.size() != 1) continue;  // none, or several rows of the paper match
      cell.published = printed[0];
      column.has_published = any = true;
    }
  if (any)
    table->notes.push_back({TableNote::About::kPaper,
                            {{"", "paper: as printed in " + paper + ", and ours minus theirs"}}});
}

}  // namespace results
