// Draws panels over names, one row each.
#include <fmt/format.h>

#include <algorithm>

#include "runner/base/text/display_width.h"
#include "runner/front/views/figure_panel.h"

namespace runner {
namespace {

using results::FigurePoint;
using results::FigureSeries;
using results::part_of;

class Rows : PanelBase {
 public:
  // Bars from the left end, or a sign and a line from low to high.
  Rows(const PanelText& panel, bool bars) : PanelBase(panel), bars_(bars) {}

  std::string text() const {
    int wide = 0, values = 0;
    for (const std::string& name : figure_.x_names)
      wide = std::max(wide, display_width(name_text(name, width_ / 3, terminal_)));
    for (const FigureSeries& series : panel_.series)
      for (const FigurePoint& point : series.points)
        values = std::max(values, display_width(after(point)));
    const int left = wide + 2, width = width_ - left - values;
    const TextCanvas scale(width, 1, terminal_);
    std::string out;
    for (std::size_t i = 0; i < figure_.x_names.size(); ++i) {
      std::string name = name_text(figure_.x_names[i], wide, terminal_);
      for (const FigureSeries& series : panel_.series)
        for (const FigurePoint& point : series.points) {
          if (static_cast<std::size_t>(point.x) != i) continue;
          out += padded(name, wide) + " " + either("│", "|") + row(series, point, width) + "\n";
          name.clear();
        }
    }
    const std::string metric = name_text(figure_.y, left + width, terminal_);
    return out + bottom(y_, scale, left, width) + blanks(left + width - display_width(metric)) +
           metric + "\n";
  }

 private:
  // The value and the marks behind a row.
  std::string after(const FigurePoint& point) const {
    const bool is = results::is_shown(point.y, y_.log);
    const std::string value = !is     ? ""
                              : bars_ ? results::value_text(figure_, point.y)
                                      : fmt::format("{:.4g}", point.y);
    return "  " + value + (point.signs.empty() ? "" : " " + point.signs);
  }

  void put_bar(const FigurePoint& point, int width, TextCanvas* canvas) const {
    const bool last = static_cast<std::size_t>(point.x) + 1 == figure_.x_names.size();
    const double part = part_of(point.y, y_);
    for (int i = 0; part > 0 && i <= canvas->column(part); ++i)
      canvas->put((i + 0.5) / width, 0, either("█", "#"), last ? kNoSeries : 0);
  }

  void put_point(const FigureSeries& series, const FigurePoint& point, int width,
                 TextCanvas* canvas) const {
    const auto part = [&](double value) { return part_of(value, y_); };
    const auto shown = [&](double value) { return results::is_shown(value, y_.log); };
    if (shown(point.low) && shown(point.high))
      for (int i = canvas->column(part(point.low)); i <= canvas->column(part(point.high)); ++i)
        canvas->put((i + 0.5) / width, 0, either("─", "-"), series.name);
    for (const auto& paper : {point.published, series.published})
      if (paper && shown(*paper)) canvas->put(part(*paper), 0, either("×", "P"), series.name);
    if (shown(point.y)) canvas->put(part(point.y), 0, sign_of(series.name, terminal_), series.name);
  }

  std::string row(const FigureSeries& series, const FigurePoint& point, int width) const {
    TextCanvas canvas(width, 1, terminal_);
    if (bars_)
      put_bar(point, width, &canvas);
    else
      put_point(series, point, width, &canvas);
    return padded(canvas.text(0), width) + after(point);
  }

  const bool bars_;
};

}  // namespace

std::string dots_text(const PanelText& panel) { return Rows(panel, false).text(); }
std::string bars_text(const PanelText& panel) { return Rows(panel, true).text(); }

}  // namespace runner
