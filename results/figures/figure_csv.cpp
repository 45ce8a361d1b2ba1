#include <cmath>

#include "results/figures/figure.h"
#include "results/text/grid.h"

namespace results {
namespace {

Cell number(double value) { return std::isnan(value) ? Cell{} : Cell{value}; }
Cell place(double x) {
  return x == std::floor(x) && std::abs(x) < 1e15 ? Cell{static_cast<std::int64_t>(x)} : Cell{x};
}
Cell number(const std::optional<double>& value) { return value ? Cell{*value} : Cell{}; }

}  // namespace

std::string figure_csv(const Figure& figure) {
  Grid grid{
      {"facet", "series", figure.x, figure.y, "low", "high", "n", "published", "chosen", "marks"},
      {}};
  for (const FigurePanel& panel : figure.panels)
    for (const FigureSeries& series : panel.series)
      for (const FigurePoint& point : series.points) {
        const Cell x = figure.x_names.empty()
                           ? place(point.x)
                           : Cell{figure.x_names[static_cast<std::size_t>(point.x)]};
        grid.rows.push_back({panel.title, figure.series[series.name], x, number(point.y),
                             number(point.low), number(point.high), point.n,
                             number(point.published ? point.published : series.published),
                             point.chosen, point.signs});
      }
  return csv_of(grid);
}

}  // namespace results
