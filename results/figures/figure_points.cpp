// Turns the cells of a table into points.
#include <algorithm>
#include <cmath>
#include <set>
#include <stdexcept>

#include "lcsm/base/words.h"
#include "results/figures/figure_axes.h"
#include "results/figures/figure_kinds.h"
#include "results/figures/figure_steps.h"
#include "results/tables/table_steps.h"
#include "results/text/number_text.h"

namespace results {
namespace {

using Labels = std::vector<std::string>;

// Shows only the value if one parameter distinguishes the series.
std::string series_name(const Table& table, std::size_t row) {
  return table.row_keys.size() == 1 ? shown_name(table.names, table.rows[row][0])
                                    : joined(table.row_keys, table.rows[row], table.names);
}

void name_series(const Table& table, Figure* figure) {
  for (std::size_t row = 0; row < table.rows.size(); ++row)
    figure->series.push_back(series_name(table, row));
  if (table.row_keys.size() == 1) figure->series_key = shown_name(table.names, table.row_keys[0]);
}

// Planned runs that do not exist have not been evaluated with a value of x, '@task.length'.
bool has_place(const TableColumn& column, const Figure& figure) {
  return figure.x.front() != '@' || !column.labels.back().empty();
}

// True for three or more positive values that span more than a decade, in steps of similar factors.
bool grow_by_factors(const std::set<double>& values) {
  constexpr double kSpan = 30, kUneven = 4;
  if (values.size() < 3 || *values.begin() <= 0 || *values.rbegin() < kSpan * *values.begin())
    return false;
  double least = HUGE_VAL, most = 0;
  for (auto value = std::next(values.begin()); value != values.end(); ++value) {
    const double step = std::log(*value / *std::prev(value));
    least = std::min(least, step);
    most = std::max(most, step);
  }
  return most <= kUneven * least;
}

// True for an axis of names: a label is not a number, or each value is to have its place.
void set_axis(const FigureSource& source, bool always, Figure* figure) {
  std::set<std::string> all;
  std::set<double> numbers;
  bool named = always;
  for (const TableColumn& column : source.table.columns)
    if (has_place(column, *figure)) {
      all.insert(column.labels.back());
      const auto number = number_in(column.labels.back());
      if (number)
        numbers.insert(*number);
      else
        named = true;
    }
  if (!named) {
    figure->log_x = source.spec.log_x.value_or(grow_by_factors(numbers));
    return;
  }
  figure->x_names.assign(all.begin(), all.end());
  std::sort(figure->x_names.begin(), figure->x_names.end(), natural_less);
  if (figure->log_x)
    throw std::invalid_argument("expected numbers on a logarithmic x, got '" + figure->x + "' = '" +
                                figure->x_names[0] + "'");
}

double place_of(const std::string& label, const Figure& figure) {
  const auto& names = figure.x_names;
  if (names.empty()) return *number_in(label);
  return static_cast<double>(std::find(names.begin(), names.end(), label) - names.begin());
}

// The paper's number belongs to one x if x distinguishes the rows of the paper's table, else to the
// whole series.
void set_published(const TableCell& cell, bool at_x, FigureSeries* series, Figure* figure) {
  if (!cell.published || !cell.as_paper) return;
  (at_x ? series->points.back().published : series->published) = cell.published;
  figure->has_published = true;
}

void collect_over_parameter(const FigureSource& source, Figure* figure) {
  const auto& [database, roles, spec, table] = source;
  const FigureKind* const kind = kind_named(spec.kind);
  set_axis(source, kind != nullptr && kind->over == Over::kValues, figure);
  const bool published = spec.published && (kind == nullptr || kind->spread);
  const bool at_x = has_role(roles.models, spec.x);
  for (std::size_t c = 0; c < table.columns.size(); ++c) {
    if (!has_place(table.columns[c], *figure)) continue;
    const Labels& labels = table.columns[c].labels;
    FigurePanel* panel = panel_of(spec, labels, figure);
    for (std::size_t row = 0; row < table.rows.size(); ++row) {
      const TableCell& cell = table.cells[row][c];
      if (cell.samples.empty()) continue;
      FigureSeries& series = panel->series[row];
      series.points.push_back(point_of(cell, place_of(labels.back(), *figure), spec.band));
      if (published) set_published(cell, at_x, &series, figure);
    }
  }
}

void collect_curves(const FigureSource& source, Figure* figure) {
  const auto& [database, roles, spec, table] = source;
  bool left_out = false;
  for (std::size_t c = 0; c < table.columns.size(); ++c) {
    FigurePanel* panel = panel_of(spec, table.columns[c].labels, figure);
    for (std::size_t row = 0; row < table.rows.size(); ++row) {
      const TableCell& cell = table.cells[row][c];
      FigureSeries& series = panel->series[row];
      left_out = add_curve(database, cell, spec, &series) || left_out;
      if (spec.published && !series.points.empty()) set_published(cell, false, &series, figure);
    }
  }
  if (left_out) figure->notes.push_back("steps at which some seed has no value are left out");
}

void sort_points(Figure* figure) {
  for (FigurePanel& panel : figure->panels)
    for (FigureSeries& series : panel.series)
      std::stable_sort(series.points.begin(), series.points.end(),
                       [](const FigurePoint& a, const FigurePoint& b) { return a.x < b.x; });
}

void note_off_axes(Figure* figure) {
  std::int64_t count = 0;
  for (const FigurePanel& panel : figure->panels)
    for (const FigureSeries& series : panel.series)
      count += std::ranges::count_if(series.points, [&](const FigurePoint& point) {
        return !std::isnan(point.y) &&
               !(is_shown(point.x, figure->log_x) && is_shown(point.y, figure->log_y));
      });
  if (count > 0)
    figure->notes.push_back("left out: " + lcsm::counted(count, "point") +
                            ", infinite or, on a logarithmic axis, not above 0");
}

// The number of row keys, from the first, that distinguish series; the others distinguish points.
// By default a model's name distinguishes series.
std::size_t count_series_keys(const FigureSource& source, Table* table) {
  if (!source.spec.series.empty()) return source.spec.series.size();
  const auto is_model = [&](const std::string& key) { return has_role(source.roles.models, key); };
  const auto model = std::find_if(table->row_keys.begin(), table->row_keys.end(), is_model);
  if (model == table->row_keys.end()) return 0;
  const auto at = model - table->row_keys.begin();
  const auto to_front = [&](Labels* labels) {
    std::rotate(labels->begin(), labels->begin() + at, labels->begin() + at + 1);
  };
  to_front(&table->row_keys);
  for (Labels& row : table->rows) to_front(&row);
  return 1;
}

// The part of a row that distinguishes its series, or that distinguishes its points.
Labels series_labels(const Labels& row, std::size_t keys) {
  return {row.begin(), row.begin() + static_cast<std::ptrdiff_t>(keys)};
}
Labels point_labels(const Labels& row, std::size_t keys, const DisplayNames& names) {
  Labels labels;
  for (std::size_t i = keys; i < row.size(); ++i) labels.push_back(shown_name(names, row[i]));
  return labels;
}

// Assigns each row to a series.
std::vector<std::size_t> group_series(const Table& table, std::size_t keys, Figure* figure) {
  std::vector<Labels> seen;
  std::vector<std::size_t> series;
  Table grouped;
  grouped.names = table.names;
  grouped.row_keys = series_labels(table.row_keys, keys);
  for (const Labels& row : table.rows) {
    const Labels labels = series_labels(row, keys);
    const auto found = std::find(seen.begin(), seen.end(), labels);
    series.push_back(static_cast<std::size_t>(found - seen.begin()));
    if (found == seen.end()) seen.push_back(labels);
  }
  grouped.rows = seen;
  name_series(grouped, figure);
  figure->keys = point_labels(table.row_keys, keys, table.names);
  return series;
}

}  // namespace

std::string joined(const std::vector<std::string>& keys, const std::vector<std::string>& labels,
                   const DisplayNames& names) {
  std::string out;
  for (std::size_t i = 0; i < keys.size(); ++i) {
    if (labels[i].empty()) continue;
    const std::string& name = shown_name(names, keys[i]);
    out += (out.empty() ? "" : ", ") + (name == keys[i] ? name.substr(name.rfind('.') + 1) : name) +
           " = " + shown_name(names, labels[i]);
  }
  return out;
}

FigurePoint point_of(const TableCell& cell, double x, Band band) {
  const Statistics& s = cell.statistics;
  FigurePoint point{x, s.mean, s.mean, s.mean, s.n, signs_of(cell), cell.chosen, {}};
  spread_band(band, values_of(cell), s, &point);
  return point;
}

FigurePanel* panel_of(const FigureSpec& spec, const std::vector<std::string>& labels,
                      Figure* figure) {
  const std::string title = joined(spec.facets, labels, spec.scope.names);
  for (FigurePanel& panel : figure->panels)
    if (panel.title == title) return &panel;
  figure->panels.push_back({title, {}});
  for (std::size_t i = 0; i < figure->series.size(); ++i)
    figure->panels.back().series.push_back({i, {}, {}});
  return &figure->panels.back();
}

void note_left_out(std::int64_t count, const std::string& panel, Figure* figure) {
  if (count == 0) return;
  figure->notes.push_back((panel.empty() ? "" : panel + ": ") + "left out: " +
                          lcsm::counted(count, "combination") + " of values without a result");
}

void collect_points(const FigureSource& source, Figure* figure) {
  name_series(source.table, figure);
  if (figure->over_steps)
    collect_curves(source, figure);
  else
    collect_over_parameter(source, figure);
  sort_points(figure);
  note_off_axes(figure);
}

// The table has two columns for each panel: x and y.
void collect_pairs(const FigureSource& source, Figure* figure) {
  Table table = source.table;
  const std::size_t keys = count_series_keys(source, &table);
  const std::vector<std::size_t> series_of = group_series(table, keys, figure);
  for (std::size_t c = 0; c + 1 < table.columns.size(); c += 2) {
    FigurePanel* panel = panel_of(source.spec, table.columns[c].labels, figure);
    std::int64_t left_out = 0;
    for (std::size_t row = 0; row < table.rows.size(); ++row) {
      const TableCell &x = table.cells[row][c], &y = table.cells[row][c + 1];
      if (y.samples.empty()) continue;
      FigurePoint point = point_of(y, x.statistics.mean, source.spec.band);
      point.labels = point_labels(table.rows[row], keys, table.names);
      if (!is_shown(point.x, figure->log_x) || !is_shown(point.y, figure->log_y)) ++left_out;
      FigureSeries& series = panel->series[series_of[row]];
      series.points.push_back(std::move(point));
      if (source.spec.published) set_published(y, true, &series, figure);
    }
    note_left_out(left_out, panel->title, figure);
  }
  sort_points(figure);
}

void collect_groups(const FigureSource& source, Figure* figure) {
  const Table& table = source.table;
  group_series(table, 0, figure);
  figure->x_names = table.row_keys;
  figure->x_names.push_back(source.spec.y);
  for (std::size_t c = 0; c < table.columns.size(); ++c) {
    FigurePanel* panel = panel_of(source.spec, table.columns[c].labels, figure);
    std::int64_t left_out = 0;
    for (std::size_t row = 0; row < table.rows.size(); ++row) {
      const TableCell& cell = table.cells[row][c];
      if (cell.samples.empty()) continue;
      FigurePoint point = point_of(cell, 0, source.spec.band);
      point.labels = point_labels(table.rows[row], 0, table.names);
      if (!is_shown(point.y, figure->log_y)) ++left_out;
      panel->series[0].points.push_back(std::move(point));
    }
    note_left_out(left_out, panel->title, figure);
  }
}

}  // namespace results
