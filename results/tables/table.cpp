#include "results/tables/table.h"

#include <algorithm>
#include <cmath>
#include <set>
#include <stdexcept>

#include "lcsm/base/nearest.h"
#include "lcsm/base/words.h"
#include "results/events/metric.h"
#include "results/tables/table_steps.h"
#include "results/text/number_text.h"

namespace results {
namespace {

using Labels = std::vector<std::string>;

// Sorts values as in the sweep's file, others after them.
class Order {
 public:
  Order(const std::vector<std::string>& keys, const LabelOrder& order) {
    for (const std::string& key : keys) {
      const auto found = order.find(key);
      values_.push_back(found == order.end() ? nullptr : &found->second);
    }
  }
  bool operator()(const Labels& a, const Labels& b) const {
    for (std::size_t i = 0; i < values_.size(); ++i) {
      const std::size_t first = place(i, a[i]), second = place(i, b[i]);
      if (first != second) return first < second;
      if (a[i] != b[i]) return natural_less(a[i], b[i]);
    }
    return false;
  }

 private:
  std::size_t place(std::size_t key, const std::string& label) const {
    if (values_[key] == nullptr) return 0;
    const auto same = [&](const std::string& value) { return same_value(value, label); };
    return static_cast<std::size_t>(std::find_if(values_[key]->begin(), values_[key]->end(), same) -
                                    values_[key]->begin());
  }

  std::vector<const std::vector<std::string>*> values_;
};
using ByLabels = std::map<Labels, std::vector<const TableRun*>, Order>;

Labels labels_of(const TableRun& run, const std::vector<std::string>& keys) {
  Labels labels;
  for (const std::string& key : keys) labels.push_back(parameter(run, key));
  return labels;
}

void check(const Roles& roles, const TableSpec& spec) {
  if (lcsm::has_word(spec.tuned, roles.seed))
    throw std::invalid_argument("expected parameters to tune, got '" + std::string(roles.seed) +
                                "': the best seed is luck; make it a row to see each");
  if (spec.mean && lcsm::has_word(spec.columns, roles.seed))
    throw std::invalid_argument(
        "expected columns to take the mean over, got '" + std::string(roles.seed) +
        "': the mean is taken for each seed; choose other columns, or no mean");
  if (parse_value(spec.by.empty() ? "valid" : spec.by).metric.starts_with("test."))
    throw std::invalid_argument("expected a validation metric to select by, got '" + spec.by +
                                "': a choice made on the test metric makes its value meaningless");
}

bool is_metric(const std::string& value) {
  return is_of_a_split(value) || value.starts_with("train.");
}

// Enough to distinguish values of the column's typical magnitude, their lower median: one model
// that has not learnt anything takes no decimals from the others. None for integers.
int decimals_for(const Table& table, std::size_t column) {
  std::vector<double> sizes;
  bool whole = true;
  for (const auto& cells : table.cells)
    for (const Sample& sample : cells[column].samples)
      if (sample.value && std::isfinite(*sample.value)) {
        if (*sample.value != 0) sizes.push_back(std::abs(*sample.value));
        whole = whole && *sample.value == std::floor(*sample.value);
      }
  if (whole && !table.columns[column].is_metric) return 0;
  if (sizes.empty()) return 4;
  const auto middle = sizes.begin() + (std::ssize(sizes) - 1) / 2;
  std::nth_element(sizes.begin(), middle, sizes.end());
  const double typical = *middle;
  if (typical >= 1) return typical >= 1000 ? 0 : typical >= 10 ? 2 : 3;
  constexpr double kMost = 12;
  return std::max(4, static_cast<int>(std::min(2 - std::floor(std::log10(typical)), kMost)));
}

void add_columns(Table* table, const ByLabels& columns, const TableSpec& spec) {
  for (const auto& [labels, runs] : columns)
    for (const std::string& value : spec.values) {
      const std::string metric = parse_value(value).metric;
      table->columns.push_back({labels, value, lower_is_better(metric), is_metric(metric),
                                spec.decimals, false, false, spec.decimals >= 0});
    }
}

// The cell of a row and a column without runs.
TableCell nothing() {
  TableCell cell;
  cell.statistics = statistics_of({});
  cell.marks = {Mark::kMissing};
  return cell;
}

std::vector<TableCell> make_row(const std::vector<const TableRun*>& runs, const ByLabels& columns,
                                const TableRuns& all, const TableSpec& spec) {
  std::vector<TableCell> cells;
  ByLabels by_column(columns.key_comp());
  for (const TableRun* run : runs) by_column[labels_of(*run, spec.columns)].push_back(run);
  for (const auto& [labels, unused] : columns) {
    const auto here = by_column.find(labels);
    const RunGroup group =
        here == by_column.end() ? RunGroup{} : choose_group(here->second, all, spec);
    for (const std::string& value : spec.values)
      cells.push_back(group.runs.empty() ? nothing() : make_cell(group, value, all, spec));
  }
  return cells;
}

// Sorts by the mean over the value's columns, or else by the first of them; best first, rows
// without a mean last.
void sort_rows(Table* table, const std::string& value) {
  if (value.empty()) return;
  const bool has_mean = !table->columns.empty() && table->columns.back().mean;
  const auto column =
      std::find_if(table->columns.begin(), table->columns.end(),
                   [&](const TableColumn& c) { return c.value == value && c.mean == has_mean; });
  if (column == table->columns.end()) {
    std::vector<std::string> values;
    for (const TableColumn& one : table->columns) values.push_back(one.value);
    throw std::invalid_argument("expected one of the table's values to sort by, got '" + value +
                                "'" + lcsm::did_you_mean(value, values));
  }
  const auto at = static_cast<std::size_t>(column - table->columns.begin());
  std::vector<std::size_t> order(table->rows.size());
  for (std::size_t i = 0; i < order.size(); ++i) order[i] = i;
  const auto key = [&](std::size_t row) {
    const double shown = table->statistic == Statistic::kIqm
                             ? shown_value(table->cells[row][at])
                             : table->cells[row][at].statistics.mean;
    return std::pair(std::isnan(shown), column->lower_better ? shown : -shown);
  };
  std::stable_sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) {
    return key(a).first != key(b).first ? key(b).first
                                        : !key(a).first && key(a).second < key(b).second;
  });
  Table sorted = *table;
  for (std::size_t i = 0; i < order.size(); ++i) {
    sorted.rows[i] = table->rows[order[i]];
    sorted.cells[i] = table->cells[order[i]];
  }
  *table = std::move(sorted);
}

// "valid.accuracy", or "valid.accuracy (text: valid.ppl)".
std::string choosing_metrics(const TableRuns& runs, const TableSpec& spec,
                             const DisplayNames& names) {
  const std::string& by = shown_name(names, spec.by);
  if (runs.by_of.empty()) return by;
  const auto own = [&](const auto& one) {
    return one.first + ": " + shown_name(names, one.second);
  };
  return by + " (" + lcsm::joined_of(runs.by_of, own) + ")";
}

// True if some cell has runs with several values of the tuned parameters.
bool has_choice(const TableRuns& runs, const TableSpec& spec) {
  Labels keys = spec.rows;
  keys.insert(keys.end(), spec.columns.begin(), spec.columns.end());
  std::map<Labels, Labels> tuned;
  return std::ranges::any_of(runs.runs, [&](const TableRun& run) {
    const Labels labels = labels_of(run, spec.tuned);
    return tuned.try_emplace(labels_of(run, keys), labels).first->second != labels;
  });
}

// "optim.lr = 0.003, chosen by ...", or "optim.lr chosen by ..." if the choice differs.
std::string choice_text(const std::set<std::string>& chosen, const TableRuns& runs,
                        const TableSpec& spec, const DisplayNames& names) {
  std::string text;
  if (chosen.size() == 1) {
    text = *chosen.begin() + ",";
    for (const std::string& key : spec.tuned)
      text = lcsm::replaced(text, key + "=", shown_name(names, key) + " = ");
  } else {
    text = lcsm::joined_of(spec.tuned, [&](const auto& key) { return shown_name(names, key); });
  }
  return text + " chosen by the mean over seeds of " + choosing_metrics(runs, spec, names);
}

void note_choice(Table* table, const TableRuns& runs, const TableSpec& spec) {
  if (spec.tuned.empty()) return;
  std::set<std::string> chosen;
  for (const auto& row : table->cells)
    for (const TableCell& cell : row)
      if (!cell.chosen.empty()) chosen.insert(cell.chosen);
  if (chosen.empty()) return;
  if (chosen.size() > 1) table->tuned = spec.tuned;
  if (has_choice(runs, spec)) table->choice = choice_text(chosen, runs, spec, {});
  add_note(table, choice_text(chosen, runs, spec, table->names));
}

// True if some run has its last or best `valid` at another step than its last `test`.
bool are_of_other_steps(const Database& database, const TableRuns& runs, const Reduction& valid,
                        const std::string& test) {
  const std::string step = valid.how == Reduction::How::kLast ? "last_step"
                           : lower_is_better(valid.metric)    ? "lowest_step"
                                                              : "highest_step";
  Statement other(database,
                  "SELECT 1 FROM runs JOIN summaries v USING (run) JOIN summaries t USING (run) "
                  "WHERE id = ?1 AND v.metric = ?2 AND t.metric = ?3 AND t.last_step <> v." +
                      step);
  return std::ranges::any_of(runs.runs, [&](const TableRun& run) {
    other.reset();
    other.bind_all(run.id, valid.metric, test);
    return other.step();
  });
}

// The test split is evaluated with the weights of the best step.
void note_steps(const Database& database, const TableRuns& runs, const TableSpec& spec,
                Table* table) {
  using enum Reduction::How;
  std::map<Reduction::How, Reduction> valid;  // the first of each
  std::string test, others;
  for (const std::string& value : spec.values) {
    const Reduction shown = parse_value(value);
    const bool over_curve = shown.how == kLast || shown.how == kBest;
    if (over_curve && shown.metric.starts_with("valid.")) valid.try_emplace(shown.how, shown);
    if (test.empty() && shown.how == kLast && shown.metric.starts_with("test."))
      test = shown.metric;
  }
  if (test.empty()) return;
  for (const auto& [how, shown] : valid)
    if (are_of_other_steps(database, runs, shown, test))
      others += "; " + shown_name(table->names, shown.metric) +
                (how == kLast ? ": at its last" : "@best: at its own best");
  if (!others.empty())
    add_note(table, shown_name(table->names, test) + ": at each run's best step" + others);
}

void note_evaluated_steps(const TableRuns& runs, Table* table) {
  if (std::ranges::any_of(runs.runs, &TableRun::other_step))
    add_note(table, "some evaluations are of another checkpoint than the run's own value");
  if (runs.left_out.empty()) return;
  constexpr std::size_t kMost = 3;
  std::vector<std::string> values;
  for (const std::string& settings : runs.left_out) values.push_back("METRIC@" + settings);
  const std::size_t more = values.size() - std::min(kMost, values.size());
  values.resize(values.size() - more);
  add_note(table, "evaluations that differ in more parameters are values, not columns: " +
                      lcsm::joined(values) +
                      (more > 0 ? " and " + std::to_string(more) + " more" : ""));
}

// True if a mean is over several runs of a seed, which differ in another parameter.
bool repeats_seeds(const TableCell& cell) {
  std::set<std::string> seeds;
  return std::any_of(cell.samples.begin(), cell.samples.end(), [&](const Sample& sample) {
    return sample.value && !seeds.insert(sample.seed).second;
  });
}

void note_spread(Table* table, const TableSpec& spec) {
  std::set<std::int64_t> counts;
  bool repeats = false;
  for (const auto& row : table->cells)
    for (const TableCell& cell : row) {
      if (cell.statistics.n > 0) counts.insert(cell.statistics.n);
      repeats = repeats || repeats_seeds(cell);
    }
  if (counts.empty()) return;
  table->n = *counts.rbegin();
  const TableNote::Part spread = {"+-", "standard deviation over " + std::to_string(table->n) +
                                            (repeats ? " runs (n - 1)" : " seeds (n - 1)") +
                                            (counts.size() > 1 ? ", or as many as (n) says" : "")};
  const TableNote::Part none = {"", "one seed each: no spread is known"};
  const bool spread_shown =
      statistic_named(spec.statistic).statistic == Statistic::kMean ||
      std::any_of(table->columns.begin(), table->columns.end(),
                  [](const TableColumn& column) { return !column.is_metric; });
  if (!spread_shown) return;
  table->notes.push_back({TableNote::About::kSpread, {table->n > 1 ? spread : none}});
}

void note_across(Table* table, const TableRuns& runs, const TableSpec& spec) {
  std::vector<std::string> keys;
  for (const std::string& key : spec.across)
    if (runs.varying.contains(key)) keys.push_back(key);
  if (keys.empty()) return;
  add_note(table, "rows are compared although they may differ in " + lcsm::joined(keys),
           TableNote::About::kBest);
}

// Rows that are compared although what is said of their runs, by id, differs.
template <class NoteOf>
void note_differing(const std::map<std::string, std::string>& said, NoteOf note_of, Table* table) {
  note_compared(table, [&](const std::vector<const TableCell*>& cells) -> std::string {
    std::set<std::string> all;
    for (const TableCell* cell : cells)
      for (const Sample& sample : cell->samples)
        if (const auto found = said.find(sample.id); sample.value && found != said.end())
          all.insert(found->second);
    all.erase("");
    return all.size() < 2 ? "" : note_of(all);
  });
}

// Steps of unlike batches train on unlike amounts of data.
void note_amounts(const TableRuns& runs, Table* table) {
  if (runs.roles.trained == nullptr) return;
  std::map<std::string, std::string> amounts;
  for (const TableRun& run : runs.runs)
    if (const auto steps = number_in(parameter(run, runs.roles.steps)); steps && *steps > 0)
      amounts[run.id] = runs.roles.trained(static_cast<std::int64_t>(*steps), run.parameters);
  const auto note = [](const std::set<std::string>& all) {
    const auto [least, most] = std::ranges::minmax(all, natural_less);
    return "their steps train on unlike amounts of data: " + least + " to " + most;
  };
  note_differing(amounts, note, table);
}

// In equal minutes, unlike machines take unlike numbers of steps.
void note_minutes(const TableRuns& runs, Table* table) {
  if (runs.roles.minutes.empty()) return;
  std::map<std::string, std::string> machines;
  for (const TableRun& run : runs.runs)
    if (number_in(parameter(run, runs.roles.minutes)).value_or(0) > 0)
      machines[run.id] = run.machine;
  const auto note = [](const std::set<std::string>& all) {
    return "their minutes are those of unlike machines: " + *all.begin() + "; " + *all.rbegin();
  };
  note_differing(machines, note, table);
}

// Rows, or columns, that would have one name keep their own labels.
void drop_names_of_several(const std::vector<Labels>& all, DisplayNames* names) {
  const DisplayNames given = *names;
  std::map<Labels, const Labels*> first;
  for (const Labels& labels : all) {
    Labels shown = labels;
    for (std::string& label : shown) label = shown_name(given, label);
    const Labels& other = *first.try_emplace(std::move(shown), &labels).first->second;
    for (std::size_t i = 0; i < labels.size(); ++i)
      if (labels[i] != other[i])
        std::erase_if(*names, [&](const auto& one) {
          return same_value(one.first, labels[i]) || same_value(one.first, other[i]);
        });
  }
}

// Fills in what the request leaves open.
TableRuns find_runs(Database& database, const Roles& roles, TableSpec* spec) {
  const std::string first = spec->tuned.empty() ? "" : spec->tuned[0];
  check(roles, *spec);
  TableRuns runs = load_runs(database, roles, spec);
  split_by_sweep(*spec, &runs);
  split_by_evaluation(database, *spec, &runs);
  check(roles, *spec);
  if (!first.empty() && spec->by.empty())
    throw std::invalid_argument("expected a metric to select '" + first + "' by, got none");
  runs.agree = keys_to_agree_in(runs, *spec);
  return runs;
}

Table cells_of(const TableRuns& runs, const TableSpec& spec) {
  ByLabels rows(Order(spec.rows, spec.scope.order)), columns(Order(spec.columns, spec.scope.order));
  for (const TableRun& run : runs.runs) {
    rows[labels_of(run, spec.rows)].push_back(&run);
    columns[labels_of(run, spec.columns)].push_back(&run);
  }
  Table table;
  table.title = spec.title.empty() ? runs.title : spec.title;
  table.paper = runs.paper;
  table.row_keys = spec.rows;
  table.column_keys = spec.columns;
  table.names = spec.scope.names;
  add_columns(&table, columns, spec);
  for (const auto& [labels, of_row] : rows) {
    table.rows.push_back(labels);
    table.cells.push_back(make_row(of_row, columns, runs, spec));
  }
  std::vector<Labels> of_columns;
  for (const TableColumn& column : table.columns) {
    of_columns.push_back(column.labels);
    of_columns.back().push_back(column.value);
  }
  for (const auto& all : {table.rows, of_columns}) drop_names_of_several(all, &table.names);
  add_mean_columns(&table, spec);
  match_params(&table, spec);
  for (std::size_t column = 0; column < table.columns.size(); ++column)
    if (spec.decimals < 0) table.columns[column].decimals = decimals_for(table, column);
  return table;
}

}  // namespace

Table make_table(Database& database, const Roles& roles, const TableSpec& request) {
  TableSpec spec = request;
  const TableRuns runs = find_runs(database, roles, &spec);
  Table table = cells_of(runs, spec);
  const bool estimated = statistic_named(spec.statistic).statistic != Statistic::kMean;
  if (!estimated) sort_rows(&table, spec.sort);
  note_choice(&table, runs, spec);
  note_steps(database, runs, spec, &table);
  note_evaluated_steps(runs, &table);
  note_spread(&table, spec);
  if (spec.judged) {
    note_amounts(runs, &table);
    note_minutes(runs, &table);
  }
  if (estimated) {
    estimate_cells(&table, spec);
    sort_rows(&table, spec.sort);
  } else if (spec.judged) {
    note_across(&table, runs, spec);
    judge(&table, spec);
  }
  note_machines(&table);
  add_published(&table, runs.paper, roles, spec);
  add_notes(&table);
  return table;
}

}  // namespace results
