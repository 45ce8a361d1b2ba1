#include <cmath>

#include "results/figures/figure.h"
#include "results/text/grid.h"

namespace results {
namespace {

Cell place(double x) {
  if (std::isnan(x)) return {};
  return x == std::floor(x) && std::abs(x) < 1e15 ? Cell{static_cast<std::int64_t>(x)} : Cell{x};
}

}  // namespace

std::string figure_csv(const Figure& figure) {
  const bool has_x = !figure.x.empty();
  Grid grid{{"facet", "series"}, {}};
  grid.headers.insert(grid.headers.end(), figure.keys.begin(), figure.keys.end());
  if (has_x) grid.headers.push_back(figure.x);
  grid.headers.insert(grid.headers.end(),
                      {figure.y, "low", "high", "n", "published", "chosen", "marks"});
  for (const FigurePanel& panel : figure.panels)
    for (const FigureSeries& series : panel.series)
      for (const FigurePoint& point : series.points) {
        std::vector<Cell> row = {panel.title, figure.series[series.name]};
        row.insert(row.end(), point.labels.begin(), point.labels.end());
        if (has_x && figure.x_names.empty()) row.push_back(place(point.x));
        if (has_x && !figure.x_names.empty())
          row.emplace_back(figure.x_names[static_cast<std::size_t>(point.x)]);
        row.insert(row.end(),
                   {number_cell(point.y), number_cell(point.low), number_cell(point.high), point.n,
                    number_cell(point.published ? point.published : series.published), point.chosen,
                    point.signs});
        grid.rows.push_back(std::move(row));
      }
  return csv_of(grid);
}

}  // namespace results
