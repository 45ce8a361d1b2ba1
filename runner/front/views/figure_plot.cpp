// Draws panels over numbers: lines, or pairs of metrics.
#include <algorithm>

#include "results/figures/figure_layout.h"
#include "results/figures/figure_steps.h"
#include "runner/base/text/display_width.h"
#include "runner/front/views/figure_panel.h"

namespace runner {
namespace {

using results::FigurePoint;
using results::FigureSeries;
using results::part_of;

constexpr std::size_t kFewPoints = 12;  // each with a sign
constexpr int kNameRoom = 24;           // of a point's name beside it

class Plot : PanelBase {
 public:
  Plot(const PanelText& panel, bool joined_by_lines) : PanelBase(panel), lines_(joined_by_lines) {}

  std::string text() const {
    Labels labels;
    int wide = 0;
    for (const auto& [value, text] : y_.ticks) {
      labels.emplace_back(0, text);
      wide = std::max(wide, display_width(text));
    }
    const int left = wide + 2, width = width_ - left, height = rows();
    TextCanvas canvas(width, height, terminal_, joined_);
    draw(width, &canvas);
    std::size_t i = 0;
    for (const auto& [value, text] : y_.ticks) labels[i++].first = canvas.row(part_of(value, y_));
    std::string out = name_text(y_.name, width_, terminal_) + "\n";
    for (int row = 0; row < height; ++row) {
      const auto label = std::find_if(labels.begin(), labels.end(),
                                      [&](const auto& each) { return each.first == row; });
      const std::string text = label == labels.end() ? "" : label->second;
      out += blanks(wide - display_width(text)) + text + " " +
             (text.empty() ? either("│", "|") : either("┤", "+")) + canvas.text(row) + "\n";
    }
    const std::string name = name_text(x_.name, width_, terminal_);
    return out + bottom(x_, canvas, left, width) + blanks(width_ - display_width(name)) + name +
           "\n";
  }

 private:
  double x(const FigurePoint& point) const { return part_of(point.x, x_); }
  double y(double value) const { return part_of(value, y_); }

  void draw(int width, TextCanvas* canvas) const {
    if (lines_)
      for (const FigureSeries& series : panel_.series) add_lines(series, canvas);
    for (const FigureSeries& series : panel_.series) add_level(series, width, canvas);
    for (const FigureSeries& series : panel_.series) add_points(series, canvas);
    if (!lines_)
      for (const FigureSeries& series : panel_.series) add_names(series, canvas);
    for (const FigureSeries& series : panel_.series) add_signs(series, canvas);
  }

  void add_lines(const FigureSeries& series, TextCanvas* canvas) const {
    const FigurePoint* before = nullptr;
    for (const FigurePoint& point : series.points) {
      const FigurePoint* now = is_drawn(point) ? &point : nullptr;
      if (now != nullptr && before != nullptr)
        canvas->line(x(*before), y(before->y), x(point), y(point.y), series.name);
      before = now;
    }
  }

  void add_level(const FigureSeries& series, int width, TextCanvas* canvas) const {
    if (!series.published || !results::is_shown(*series.published, y_.log)) return;
    for (int column = 0; column < width; column += 2)
      canvas->put_if_free((column + 0.5) / width, y(*series.published), either("╌", "-"),
                          series.name);
  }

  void add_points(const FigureSeries& series, TextCanvas* canvas) const {
    const std::vector<FigurePoint> points = results::thinned(series.points, x_);
    const std::size_t every = lines_ && points.size() > kFewPoints ? points.size() / 6 : 1;
    for (std::size_t i = 0; i < points.size(); ++i) {
      const FigurePoint& point = points[i];
      if (point.published && results::is_shown(*point.published, y_.log) &&
          results::is_shown(point.x, x_.log))
        canvas->put(x(point), y(*point.published), either("×", "P"), series.name);
      if (is_drawn(point) && (i % every == 0 || i + 1 == points.size()))
        canvas->put(x(point), y(point.y), sign_of(series.name, terminal_), series.name);
    }
  }

  void add_signs(const FigureSeries& series, TextCanvas* canvas) const {
    for (const FigurePoint& point : results::thinned(series.points, x_))
      if (is_drawn(point) && !point.signs.empty())
        canvas->put_right_of(x(point), y(point.y), point.signs, series.name);
  }

  // Writes names to the right of the point and its marks, or to the left, if there is room.
  void add_names(const FigureSeries& series, TextCanvas* canvas) const {
    for (const FigurePoint& point : series.points) {
      const std::string name =
          name_text(results::joined(figure_.keys, point.labels, {}), kNameRoom, terminal_);
      if (!is_drawn(point) || name.empty()) continue;
      const int column = canvas->column(x(point)), row = canvas->row(y(point.y));
      if (!canvas->write(column + 1, row, point.signs + " " + name, series.name))
        canvas->write(column - 1 - display_width(name), row, name + " ", series.name);
    }
  }

  const bool lines_;
};

}  // namespace

std::string lines_text(const PanelText& panel) { return Plot(panel, true).text(); }
std::string pairs_text(const PanelText& panel) { return Plot(panel, false).text(); }

}  // namespace runner
