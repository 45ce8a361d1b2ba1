// The kinds of figures, one row each: which numbers of a table they show, and how gnuplot draws
// them. runner/front/views/figure_text has the rows for drawing with characters.
#pragma once

#include <array>
#include <string>
#include <string_view>

#include "lcsm/base/row_names.h"
#include "results/figures/figure.h"
#include "results/figures/figure_axes.h"
#include "results/figures/figure_plots.h"
#include "results/figures/figure_steps.h"

namespace results {

// What the x axis of a kind of figure shows.
enum class Over {
  kNumbers,  // a parameter whose values are numbers, or the steps
  kNames,    // a parameter with other values
  kValues,   // any parameter, its values evenly spaced
  kMetric,   // a metric, or a parameter whose values are numbers
  kNothing,  // no x axis
};

struct FigureKind {
  std::string_view name;  // as in `kind` of a [[figure]]
  std::string_view help;
  Over over;
  bool spread;  // shows the band and the paper's numbers
  void (*collect)(const FigureSource& source, Figure* figure);
  Axis (*x_axis)(const Figure& figure);
  Axis (*y_axis)(const Figure& figure);
  void (*plot)(const PanelView& panel, PanelPlots* plots);
  std::string (*key)(const SeriesStyle& style);  // "points pt 7"; null: no legend of series
  Rgb (*colours)(double part);  // of y, from low to high; null: color does not show y
};

// The first kind over numbers, and the first over names, are the defaults.
inline constexpr std::array kFigureKinds = {
    FigureKind{"lines", "y over numbers: points joined by a line, with a band", Over::kNumbers,
               true, collect_points, x_axis, y_axis, plot_lines, lines_key, nullptr},
    FigureKind{"dots", "y over names: points side by side, with bars from low to high",
               Over::kNames, true, collect_points, x_axis, y_axis, plot_dots, dots_key, nullptr},
    FigureKind{"heatmap", "one colored cell per series and value of x", Over::kValues, false,
               collect_points, x_axis, rows_axis, plot_cells, nullptr, scale_colour},
    FigureKind{"scatter", "y over another metric: one point per combination of values",
               Over::kMetric, true, collect_pairs, x_axis, y_axis, plot_pairs, dots_key, nullptr},
    FigureKind{"parallel", "one axis per parameter and for y, one line per combination",
               Over::kNothing, false, collect_groups, keys_axis, upright_axis, plot_groups, nullptr,
               line_colour},
    FigureKind{"importance", "each parameter's share of the variance of y", Over::kNothing, false,
               collect_shares, x_axis, shares_axis, plot_bars, nullptr, nullptr},
};

// Null for an empty name. Throws std::invalid_argument.
const FigureKind* kind_named(const std::string& name);

// The kind that a spec names, or the default over this axis. Throws std::invalid_argument for an
// unknown kind, and for one that cannot be drawn over this axis.
const FigureKind& kind_of(const std::string& name, bool over_names);
const FigureKind& kind_of(const Figure& figure);

}  // namespace results
