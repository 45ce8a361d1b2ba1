#include "results/figures/figure.h"

#include <algorithm>
#include <cmath>
#include <stdexcept>

#include "lcsm/base/words.h"
#include "results/figures/figure_kinds.h"
#include "results/figures/figure_steps.h"
#include "results/tables/table_formats.h"
#include "results/text/number_text.h"

namespace results {
namespace {

Over over_of(const FigureSpec& spec) {
  const FigureKind* const kind = kind_named(spec.kind);
  return kind == nullptr ? Over::kNumbers : kind->over;
}

// A row per series or group, a column per facet and value of x.
TableSpec table_of(const FigureSpec& spec) {
  TableSpec table = table_over(spec);
  table.rows = spec.series;
  table.columns = spec.facets;
  table.values = {spec.y};
  table.judged = false;
  const Over over = over_of(spec);
  if (over == Over::kMetric) {
    table.values = {spec.x, spec.y};
    table.more_rows = true;
  } else if (over == Over::kNothing) {
    table.tune_rate = !spec.series.empty();
  } else if (spec.x != kStepAxis) {
    table.columns.push_back(spec.x);
  }
  return table;
}

void check_x(const FigureSpec& spec, Over over) {
  const std::string of = " of a figure of kind '" + spec.kind + "'";
  if (over == Over::kNothing && !spec.x.empty())
    throw std::invalid_argument("expected no x" + of + ", got '" + spec.x + "'");
  if (over == Over::kNothing) return;
  if (spec.x.empty())
    throw std::invalid_argument(over == Over::kMetric ? "expected a metric as x" + of + ", got none"
                                : over == Over::kValues
                                    ? "expected a parameter as x" + of + ", got none"
                                    : "expected a parameter or 'step' as x, got none");
  if (spec.x == kStepAxis && (over == Over::kValues || over == Over::kMetric))
    throw std::invalid_argument("expected a " +
                                std::string(over == Over::kMetric ? "metric" : "parameter") +
                                " as x" + of + ", got 'step'");
  if (over == Over::kMetric && spec.x == spec.y)
    throw std::invalid_argument("expected two values, got '" + spec.x + "' as x and as y");
}

void check_log(const FigureSpec& spec, Over over) {
  if (spec.log_x.value_or(false) && (over == Over::kValues || over == Over::kNothing))
    throw std::invalid_argument("expected only y as logarithmic axis of a figure of kind '" +
                                spec.kind +
                                "', got x: the values of its parameters are evenly "
                                "spaced");
}

template <class Holds>
bool holds_of_a_point(const Figure& figure, Holds holds) {
  for (const FigurePanel& panel : figure.panels)
    for (const FigureSeries& series : panel.series)
      if (std::any_of(series.points.begin(), series.points.end(), holds)) return true;
  return false;
}
bool has_bands(const Figure& figure) {
  return holds_of_a_point(figure, [](const FigurePoint& p) { return p.low < p.high; });
}
bool has_values(const Figure& figure) {
  return holds_of_a_point(figure, [](const FigurePoint& p) { return !std::isnan(p.y); });
}

// The table's notes, without those about signs that only a table shows.
std::vector<std::string> notes_of(const Table& table, const Figure& figure, Band band) {
  std::vector<std::string> notes;
  if (!has_values(figure)) notes.push_back("no run has " + figure.y + " yet");
  if (kind_of(figure).spread && band != Band::kNone && has_bands(figure))
    for (const BandRow& row : kBands)
      if (row.band == band) notes.push_back("band: " + std::string(row.help));
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

std::vector<std::string> legend_of(const Figure& figure) {
  std::vector<std::string> names = figure.series;
  for (std::string& name : names)
    if (!figure.series_key.empty() && number_in(name)) name = figure.series_key + " = " + name;
  return names;
}

void set_log(const std::vector<std::string>& axes, FigureSpec* spec) {
  if (axes.empty()) return;
  for (const std::string& axis : axes)
    if (!lcsm::has_word("x y none", axis))
      throw std::invalid_argument("expected x, y or none as logarithmic axes, got '" + axis + "'");
  spec->log_x = lcsm::has_word(axes, "x");
  spec->log_y = lcsm::has_word(axes, "y");
}

void check_figure(const FigureSpec& spec) {
  const Over over = over_of(spec);
  check_x(spec, over);
  if (spec.y.empty()) throw std::invalid_argument("expected a metric as y, got none");
  check_log(spec, over);
  for (const std::string& key : spec.facets)
    if (key == spec.x ||
        std::find(spec.series.begin(), spec.series.end(), key) != spec.series.end())
      throw std::invalid_argument("expected x, series and facets to differ, got '" + key +
                                  "' twice");
  if (spec.x == kStepAxis && parse_value(spec.y).how != Reduction::How::kLast)
    throw std::invalid_argument("expected a metric over the steps, got '" + spec.y +
                                "', which is one number per run");
}

Figure make_figure(Database& database, const Roles& roles, const FigureSpec& spec) {
  check_figure(spec);
  const Table table = make_table(database, roles, table_of(spec));
  Figure figure{.title = spec.title.empty() ? table.title : spec.title,
                .x = shown_name(spec.scope.names, spec.x),
                .y = shown_name(spec.scope.names, spec.y),
                .kind = spec.kind,
                .log_x = spec.log_x.value_or(false),
                .log_y = spec.log_y,
                .over_steps = spec.x == kStepAxis};
  for (const TableColumn& column : table.columns)
    if (column.value == spec.y) {
      figure.decimals = column.decimals;
      figure.lower_better = column.lower_better;
    }
  const FigureKind* const named = kind_named(spec.kind);
  (named == nullptr ? kFigureKinds[0] : *named).collect({database, roles, spec, table}, &figure);
  for (std::string& name : figure.x_names) name = shown_name(spec.scope.names, name);
  figure.kind = kind_of(figure).name;
  figure.notes = notes_of(table, figure, spec.band);
  return figure;
}

}  // namespace results
