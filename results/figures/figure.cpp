#include "results/figures/figure.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <set>
#include <stdexcept>

#include "results/figures/figure_kinds.h"
#include "results/figures/figure_steps.h"
#include "results/tables/table_formats.h"
#include "results/tables/table_steps.h"
#include "results/text/number_text.h"

namespace results {
namespace {

using Labels = std::vector<std::string>;

// A row per series, a column per facet and value of x.
TableSpec table_of(const FigureSpec& spec) {
  if (spec.x.empty() || spec.y.empty())
    throw std::invalid_argument(spec.x.empty() ? "expected a parameter or 'step' as x, got none"
                                               : "expected a metric as y, got none");
  TableSpec table{.sweep = spec.sweep,
                  .rows = spec.series,
                  .columns = spec.facets,
                  .values = {spec.y},
                  .tuned = spec.tuned,
                  .by = spec.by,
                  .where = spec.where,
                  .order = spec.order,
                  .names = spec.names,
                  .planned = spec.planned,
                  .expected = spec.expected,
                  .only = spec.only};
  if (spec.x != kStepAxis) table.columns.push_back(spec.x);
  return table;
}

// "code = 1-9-1-0, d = 64", without parameters that a run lacks.
std::string joined(const Labels& keys, const Labels& labels, const DisplayNames& names) {
  std::string out;
  for (std::size_t i = 0; i < keys.size(); ++i) {
    if (labels[i].empty()) continue;
    const std::string& name = shown_name(names, keys[i]);
    out += (out.empty() ? "" : ", ") + (name == keys[i] ? name.substr(name.rfind('.') + 1) : name) +
           " = " + shown_name(names, labels[i]);
  }
  return out;
}

// Only the value if one parameter distinguishes the series.
std::string series_name(const Table& table, std::size_t row) {
  return table.row_keys.size() == 1 ? shown_name(table.names, table.rows[row][0])
                                    : joined(table.row_keys, table.rows[row], table.names);
}

FigurePoint point_of(const TableCell& cell, double x, Band band) {
  const Statistics& s = cell.statistics;
  FigurePoint point{x, s.mean, s.mean, s.mean, s.n, signs_of(cell), cell.chosen, {}};
  spread_band(band, values_of(cell), s, &point);
  return point;
}

// An axis of names if a label is not a number.
void set_axis(const Table& table, Figure* figure) {
  std::set<std::string> all;
  for (const TableColumn& column : table.columns) all.insert(column.labels.back());
  if (std::all_of(all.begin(), all.end(), [](const auto& text) { return number_in(text); })) return;
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
  if (!cell.published) return;
  (at_x ? series->points.back().published : series->published) = cell.published;
  figure->has_published = true;
}

FigurePanel* panel_of(const FigureSpec& spec, const Labels& labels, Figure* figure) {
  const std::string title = joined(spec.facets, labels, spec.names);
  for (FigurePanel& panel : figure->panels)
    if (panel.title == title) return &panel;
  figure->panels.push_back({title, {}});
  for (std::size_t i = 0; i < figure->series.size(); ++i)
    figure->panels.back().series.push_back({i, {}, {}});
  return &figure->panels.back();
}

void add_points(const Table& table, const Roles& roles, const FigureSpec& spec, Figure* figure) {
  set_axis(table, figure);
  const bool at_x = has_role(roles.models, spec.x);
  for (std::size_t c = 0; c < table.columns.size(); ++c) {
    const Labels& labels = table.columns[c].labels;
    FigurePanel* panel = panel_of(spec, labels, figure);
    for (std::size_t row = 0; row < table.rows.size(); ++row) {
      const TableCell& cell = table.cells[row][c];
      if (cell.samples.empty()) continue;
      FigureSeries& series = panel->series[row];
      series.points.push_back(point_of(cell, place_of(labels.back(), *figure), spec.band));
      if (spec.published) set_published(cell, at_x, &series, figure);
    }
  }
  for (FigurePanel& panel : figure->panels)
    for (FigureSeries& series : panel.series)
      std::sort(series.points.begin(), series.points.end(),
                [](const FigurePoint& a, const FigurePoint& b) { return a.x < b.x; });
}

void add_curves(Database& database, const Table& table, const FigureSpec& spec, Figure* figure) {
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

void check_axes(const FigureSpec& spec) {
  for (const std::string& key : spec.facets)
    if (key == spec.x ||
        std::find(spec.series.begin(), spec.series.end(), key) != spec.series.end())
      throw std::invalid_argument("expected x, series and facets to differ, got '" + key +
                                  "' twice");
  if (spec.x == kStepAxis && parse_value(spec.y).how != Reduction::How::kLast)
    throw std::invalid_argument("expected a metric over the steps, got '" + spec.y +
                                "', which is one number per run");
}

// The table's notes, without those about signs that only a table shows.
std::vector<std::string> notes_of(const Table& table, const Figure& figure, Band band) {
  std::vector<std::string> notes;
  for (const BandRow& row : kBands)
    if (row.band == band && band != Band::kNone) notes.push_back("band: " + std::string(row.help));
  const std::vector<std::string> texts = note_texts(table);
  for (std::size_t i = 0; i < texts.size(); ++i)
    if (const auto about = table.notes[i].about;
        about == TableNote::About::kTable || about == TableNote::About::kMark)
      notes.push_back(texts[i]);
  if (figure.has_published) notes.push_back("paper: as printed in " + table.paper);
  notes.insert(notes.end(), figure.notes.begin(), figure.notes.end());
  return notes;
}

}  // namespace

Figure make_figure(Database& database, const Roles& roles, const FigureSpec& spec) {
  check_axes(spec);
  const Table table = make_table(database, roles, table_of(spec));
  Figure figure{.title = spec.title.empty() ? table.title : spec.title,
                .x = shown_name(spec.names, spec.x),
                .y = shown_name(spec.names, spec.y),
                .log_x = spec.log_x,
                .log_y = spec.log_y,
                .over_steps = spec.x == kStepAxis};
  for (std::size_t row = 0; row < table.rows.size(); ++row)
    figure.series.push_back(series_name(table, row));
  if (figure.over_steps)
    add_curves(database, table, spec, &figure);
  else
    add_points(table, roles, spec, &figure);
  for (std::string& name : figure.x_names) name = shown_name(spec.names, name);
  figure.kind = kind_of(spec.kind, !figure.x_names.empty()).name;
  figure.notes = notes_of(table, figure, spec.band);
  return figure;
}

}  // namespace results
