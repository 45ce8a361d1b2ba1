// Series of points: lines, dots, pairs of metrics.
#include <algorithm>
#include <map>

#include "results/figures/figure_layout.h"
#include "results/figures/figure_plots.h"
#include "results/figures/figure_steps.h"

namespace results {
namespace {

std::string line_with(const SeriesStyle& style, std::size_t points) {
  std::string text = "linespoints pt " + std::to_string(style.point) + " ps 0.7 dt " +
                     std::to_string(style.dash) + " lw 1.6";
  if (points > 12)  // enough to distinguish the lines
    text += " pointinterval " + std::to_string(points / 6);
  return text + script_colour(style.colour);
}

// Plot commands for a block with columns x, mean, low, high: the spread, the means.
constexpr std::string_view kSpread = " using 1:3:";
using How = std::vector<std::string> (*)(const SeriesStyle& style, std::size_t points);

std::vector<std::string> as_line(const SeriesStyle& style, std::size_t points) {
  return {std::string(kSpread) + "4 with filledcurves" + script_colour(style.colour),
          " using 1:2 with " + line_with(style, points)};
}

std::vector<std::string> as_dots(const SeriesStyle& style, std::size_t) {
  return {
      std::string(kSpread) + "(0):($4-$3) with vectors nohead lw 1.2" + script_colour(style.colour),
      " using 1:2 with " + dots_key(style)};
}

class SeriesPlots {
 public:
  SeriesPlots(const PanelView& panel, PanelPlots* plots) : panel_(panel), plots_(*plots) {}

  void add(How how) {
    for (const FigureSeries& series : panel_.panel.series) {
      add_points(series, how);
      add_published(series);
    }
    // One series' band would tint the lines of another, which then differ from the key.
    std::stable_partition(plots_.plots.begin(), plots_.plots.end(), [](const std::string& plot) {
      return plot.find(kSpread) != std::string::npos;
    });
    add_signs();
  }

  void add_names() {
    std::size_t count = 0;
    for (const FigureSeries& series : panel_.panel.series) count += series.points.size();
    const bool numbered = is_numbered(panel_.figure);
    if (count > kMostNamed && !numbered) return;
    for (const FigureSeries& series : panel_.panel.series)
      for (const FigurePoint& point : series.points)
        if (is_drawn(point)) {
          const bool at_end = part_of(point.x, panel_.x) > 0.8;
          plots_.name(point.x, point.y,
                      numbered ? std::to_string(series.name + 1)
                               : joined(panel_.figure.keys, point.labels, {}),
                      small_with(panel_, at_end ? "right offset -0.6,-0.4" : "left offset 0.6,-0.4",
                                 style_of(series.name).colour));
        }
  }

 private:
  // On an axis of names, where no line joins the points, series are shifted to stand side by side.
  double shift(std::size_t series) const {
    if (panel_.figure.x_names.empty()) return 0;
    const auto n = static_cast<double>(panel_.figure.series.size());
    return (static_cast<double>(series) - (n - 1) / 2) * 0.6 / n;
  }

  std::string place(const FigureSeries& series, const FigurePoint& point, double y) const {
    return script_number(point.x + shift(series.name)) + " " + script_number(y);
  }

  bool is_drawn(const FigurePoint& point) const {
    return is_shown(point.x, panel_.x.log) && is_shown(point.y, panel_.y.log);
  }

  // A low end that a logarithmic axis cannot show is drawn on the axis.
  double shown_low(double value) const {
    return is_shown(value, panel_.y.log) ? value : panel_.y.low;
  }

  void add_points(const FigureSeries& series, How how) {
    std::string rows, gap;
    const auto points = thinned(series.points, panel_.x);
    for (const FigurePoint& point : points) {
      if (!is_drawn(point)) {
        gap = rows.empty() ? "" : "\n";
        continue;
      }
      rows += gap + place(series, point, point.y) + " " + script_number(shown_low(point.low)) +
              " " + script_number(point.high) + "\n";
      gap.clear();
    }
    plots_.add(block_name(panel_, 's', series.name), rows,
               how(style_of(series.name), points.size()));
  }

  void add_published(const FigureSeries& series) {
    std::string level, points;
    const std::string block = block_name(panel_, 's', series.name);
    if (series.published && is_shown(*series.published, panel_.y.log))
      for (const double x : {panel_.x.low, panel_.x.high})
        level += script_number(x) + " " + script_number(*series.published) + "\n";
    for (const FigurePoint& point : series.points)
      if (point.published && is_shown(*point.published, panel_.y.log) &&
          is_shown(point.x, panel_.x.log))
        points += place(series, point, *point.published) + "\n";
    plots_.add(block + "level", level,
               {" using 1:2 with lines dt 3 lw 1.2" + script_colour(style_of(series.name).colour)});
    plots_.add(block + "paper", points,
               {" using 1:2 with points pt 2 ps 0.9 lw 1.2 lc rgb '#000000'"});
  }

  // Marks are drawn beside their points, or at the bottom of the panel if there is no point.
  void add_signs() {
    std::map<double, int> below;
    for (const FigureSeries& series : panel_.panel.series) {
      std::string rows;
      for (const FigurePoint& point : series.points) {
        if (point.signs.empty() || !is_shown(point.x, panel_.x.log)) continue;
        const double y = is_drawn(point)
                             ? point.y
                             : panel_.y.at(0.01 + 0.05 * static_cast<double>(below[point.x]++));
        rows += place(series, point, y) + " " + point.signs + "\n";
      }
      plots_.add(block_name(panel_, 'm', series.name), rows,
                 {" using 1:2:3 with labels " +
                  small_with(panel_, "left offset 0.6,0.5", style_of(series.name).colour)});
    }
  }

  const PanelView& panel_;
  PanelPlots& plots_;
};

}  // namespace

void plot_lines(const PanelView& panel, PanelPlots* plots) {
  SeriesPlots(panel, plots).add(as_line);
}

void plot_dots(const PanelView& panel, PanelPlots* plots) {
  SeriesPlots(panel, plots).add(as_dots);
}

void plot_pairs(const PanelView& panel, PanelPlots* plots) {
  SeriesPlots series(panel, plots);
  series.add(as_dots);
  series.add_names();
}

std::string lines_key(const SeriesStyle& style) { return line_with(style, 1); }

std::string dots_key(const SeriesStyle& style) {
  return "points pt " + std::to_string(style.point) + " ps 0.7" + script_colour(style.colour);
}

}  // namespace results
