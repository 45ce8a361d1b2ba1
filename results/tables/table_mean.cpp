// Averages over a table's columns, as papers do for several tasks.
#include <algorithm>
#include <set>
#include <stdexcept>

#include "lcsm/base/words.h"
#include "results/tables/table_steps.h"
#include "results/text/number_text.h"

namespace results {
namespace {

using Cells = std::vector<const TableCell*>;

struct SeedValues {
  bool operator()(const std::string& a, const std::string& b) const { return natural_less(a, b); }
};
struct Part {
  const TableCell* cell;
  const Sample* sample;
};
using Parts = std::vector<Part>;  // cell by cell
using Samples = std::map<std::string, Parts, SeedValues>;

// The mean of one seed. It has a value if each of the cells has exactly one.
Sample mean_sample(const std::string& seed, const Parts& parts, std::size_t cells) {
  Sample mean{"", seed, RunState::kDone, parts[0].sample->commit, 0.0};
  for (const auto& [cell, part] : parts) {
    if (part->state != RunState::kDone) mean.state = part->state;
    if (part->commit != mean.commit) mean.commit.clear();
    if (mean.value && part->value)
      *mean.value += *part->value / static_cast<double>(cells);
    else
      mean.value.reset();
  }
  const auto twice = std::adjacent_find(
      parts.begin(), parts.end(), [](const Part& a, const Part& b) { return a.cell == b.cell; });
  if (parts.size() != cells || twice != parts.end()) mean.value.reset();
  mean.id = lcsm::joined_of(parts, [](const Part& part) { return part.sample->id; });
  return mean;
}

// A mean of k shares is at least as exact as one share on k times the fewest examples, since
// q (1 - q) is concave.
Scale mean_scale(const Cells& cells) {
  if (cells.empty()) return {};
  Scale scale = cells.back()->scale;
  for (const TableCell* cell : cells)
    scale.examples = std::min(scale.examples, cell->scale.examples);
  scale.examples *= static_cast<double>(cells.size());
  return scale;
}

// The facts in which compared means must agree, and the programs and machines behind them.
void set_facts(const Cells& cells, TableCell* mean) {
  std::set<std::string> tasks;
  std::vector<std::string> machines;  // column by column
  std::map<std::string, std::set<std::string>> settings;
  std::vector<double> sizes;
  for (const TableCell* cell : cells) {
    tasks.insert(cell->task);
    mean->programs.insert(cell->programs.begin(), cell->programs.end());
    machines.push_back(cell->machine);
    sizes.push_back(cell->params);
    for (const auto& [key, value] : cell->setting) settings[key].insert(value);
  }
  mean->task = lcsm::joined({tasks.begin(), tasks.end()});
  for (const auto& [key, values] : settings)
    mean->setting[key] = lcsm::joined({values.begin(), values.end()});
  mean->params = statistics_of(sizes).mean;
  const bool alike = std::set(machines.begin(), machines.end()).size() == 1;
  mean->machine = alike ? machines[0] : lcsm::joined(machines, "; ");
}

// A mean has all marks of its parts, since the mean itself hides what is missing.
TableCell mean_cell(const Cells& all) {
  TableCell mean;
  std::set<Mark> marks;
  Cells cells;          // those with runs
  std::string columns;  // '1' for each of them
  for (const TableCell* cell : all) {
    marks.insert(cell->marks.begin(), cell->marks.end());
    columns += cell->samples.empty() ? '0' : '1';
    if (!cell->samples.empty()) cells.push_back(cell);
  }
  Samples samples;
  for (const TableCell* cell : cells)
    for (const Sample& sample : cell->samples) samples[sample.seed].push_back({cell, &sample});
  const bool whole =
      std::ranges::all_of(cells, [](const TableCell* cell) { return cell->statistics.n > 0; });
  std::vector<double> values;
  for (const auto& [seed, parts] : samples) {
    mean.samples.push_back(mean_sample(seed, parts, cells.size()));
    if (!whole) mean.samples.back().value.reset();
    if (const auto& value = mean.samples.back().value) values.push_back(*value);
  }
  if (values.size() < samples.size()) marks.insert(Mark::kPartly);
  mean.marks.assign(marks.begin(), marks.end());
  mean.scale = mean_scale(cells);
  mean.statistics = statistics_of(values, mean.scale);
  for (const TableCell* cell : cells)
    if (whole) mean.strata.insert(mean.strata.end(), cell->strata.begin(), cell->strata.end());
  set_facts(cells, &mean);
  mean.setting[std::string(kMeanOf)] = columns;
  return mean;
}

}  // namespace

void add_mean_columns(Table* table, const TableSpec& spec) {
  if (!spec.mean) return;
  if (spec.columns.empty())
    throw std::invalid_argument(
        "expected columns to take the mean over, got none: name them, for example columns = "
        "\"task.name\"");
  const std::size_t values = spec.values.size(), count = table->columns.size();
  for (std::size_t v = 0; v < std::min(values, count); ++v) {
    TableColumn column = table->columns[v];
    column.labels.assign(spec.columns.size(), "mean");
    column.mean = true;
    table->columns.push_back(std::move(column));
    for (auto& row : table->cells) {
      Cells cells;
      for (std::size_t c = v; c < count; c += values) cells.push_back(&row[c]);
      row.push_back(mean_cell(cells));
    }
  }
  if (count > 0)
    add_note(table,
             "mean: of each seed, over the columns in which its row has runs; compared if "
             "these are the same");
}

}  // namespace results
