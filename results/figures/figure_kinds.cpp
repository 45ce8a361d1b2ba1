#include "results/figures/figure_kinds.h"

#include <stdexcept>

namespace results {
namespace {

std::string colour(const SeriesStyle& style) {
  return " lc rgb '" + std::string(style.colour) + "'";
}

std::string line_with(const SeriesStyle& style, std::size_t points) {
  std::string text = "linespoints pt " + std::to_string(style.point) + " ps 0.7 dt " +
                     std::to_string(style.dash) + " lw 1.6";
  if (points > 12)  // enough to distinguish the lines
    text += " pointinterval " + std::to_string(points / 6);
  return text + colour(style);
}

}  // namespace

std::vector<std::string> plot_lines(const DrawnSeries& series) {
  return {series.block + " using 1:3:4 with filledcurves" + colour(series.style),
          series.block + " using 1:2 with " + line_with(series.style, series.points)};
}

std::string lines_key(const SeriesStyle& style) { return line_with(style, 1); }

std::vector<std::string> plot_dots(const DrawnSeries& series) {
  return {series.block + " using 1:3:(0):($4-$3) with vectors nohead lw 1.2" + colour(series.style),
          series.block + " using 1:2 with " + dots_key(series.style)};
}

std::string dots_key(const SeriesStyle& style) {
  return "points pt " + std::to_string(style.point) + " ps 0.7" + colour(style);
}

std::string checked_kind(const std::string& name) {
  if (!name.empty() && lcsm::row_named(kFigureKinds, name) == nullptr)
    throw std::invalid_argument("expected one of " + std::string(lcsm::row_names<kFigureKinds>) +
                                ", got '" + name + "'");
  return name;
}

const FigureKind& kind_of(std::string_view name, bool over_names) {
  const auto suits = [&](const FigureKind& kind) {
    return over_names ? kind.over_names : kind.over_numbers;
  };
  std::string suitable;
  for (const FigureKind& kind : kFigureKinds) {
    if (!suits(kind)) continue;
    if (name.empty() || kind.name == name) return kind;
    suitable += (suitable.empty() ? "" : ", ") + std::string(kind.name);
  }
  throw std::invalid_argument("expected a kind of figure over " +
                              std::string(over_names ? "names" : "numbers") + " (" + suitable +
                              "), got '" + std::string(name) + "'");
}

}  // namespace results
