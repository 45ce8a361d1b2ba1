// The kinds of figures, one row each: how the points of a series are drawn. In characters a kind is
// a row of runner/show/figure_text.
#pragma once

#include <array>
#include <string>
#include <string_view>
#include <vector>

#include "lcsm/base/row_names.h"
#include "results/figures/figure.h"
#include "results/figures/figure_style.h"

namespace results {

// A series for gnuplot: `block` names its data, columns x, mean, low, high.
struct DrawnSeries {
  std::string block;
  SeriesStyle style;
  std::size_t points = 0;
};

struct FigureKind {
  std::string_view name;  // as in `kind` of a [[figure]]
  std::string_view help;
  bool over_numbers, over_names;                                 // axes of x that it can be over
  std::vector<std::string> (*plots)(const DrawnSeries& series);  // "BLOCK using ... with ..."
  std::string (*key)(const SeriesStyle& style);                  // "points pt 7", in the legend
};

// figure_kinds.cpp
std::vector<std::string> plot_lines(const DrawnSeries& series);
std::string lines_key(const SeriesStyle& style);
std::vector<std::string> plot_dots(const DrawnSeries& series);
std::string dots_key(const SeriesStyle& style);

// Of those that suit the axis the first is the default.
inline constexpr std::array kFigureKinds = {
    FigureKind{"lines", "points joined by a line, with a band; over numbers", true, false,
               plot_lines, lines_key},
    FigureKind{"dots", "points side by side, with bars from low to high; over names", false, true,
               plot_dots, dots_key},
};

// The same name, where a kind has it, or it is empty. Throws std::invalid_argument.
std::string checked_kind(const std::string& name);

// The kind that a spec names, else the default over this axis. Throws std::invalid_argument for an
// unknown kind, and for one that is not drawn over such an axis.
const FigureKind& kind_of(std::string_view name, bool over_names);

}  // namespace results
