#include "results/figures/figure_groups.h"

#include <algorithm>
#include <set>

#include "results/tables/table_steps.h"
#include "results/text/number_text.h"

namespace results {

GroupAxes group_axes(const Figure& figure) {
  std::vector<std::set<std::string>> values(figure.keys.size());
  for (const FigurePanel& panel : figure.panels)
    for (const FigureSeries& series : panel.series)
      for (const FigurePoint& point : series.points)
        for (std::size_t key = 0; key < values.size(); ++key) values[key].insert(point.labels[key]);
  GroupAxes axes{{}, colour_axis(figure)};
  for (const auto& of_key : values) {
    axes.values.emplace_back(of_key.begin(), of_key.end());
    std::sort(axes.values.back().begin(), axes.values.back().end(), natural_less);
  }
  return axes;
}

double even_part(std::size_t place, std::size_t n) {
  return n < 2 ? 0.5 : static_cast<double>(place) / static_cast<double>(n - 1);
}

std::vector<std::vector<double>> group_lines(const Figure& figure, const FigurePanel& panel,
                                             const GroupAxes& axes) {
  std::vector<std::vector<double>> lines;
  for (const FigureSeries& series : panel.series)
    for (const FigurePoint& point : series.points) {
      if (!is_shown(point.y, figure.log_y)) continue;
      lines.emplace_back();
      for (std::size_t key = 0; key < axes.values.size(); ++key) {
        const auto& values = axes.values[key];
        const auto at = std::find(values.begin(), values.end(), point.labels[key]);
        lines.back().push_back(
            even_part(static_cast<std::size_t>(at - values.begin()), values.size()));
      }
      lines.back().push_back(part_of(point.y, axes.y));
    }
  std::stable_sort(lines.begin(), lines.end(), [&](const auto& a, const auto& b) {
    return figure.lower_better ? a.back() > b.back() : a.back() < b.back();
  });
  return lines;
}

}  // namespace results
