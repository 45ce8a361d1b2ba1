// Draws panels whose colour shows y: cells, and the lines of groups.
#include <algorithm>
#include <array>
#include <cmath>

#include "results/figures/figure_groups.h"
#include "results/text/escape.h"
#include "runner/base/text/display_width.h"
#include "runner/front/views/figure_panel.h"

namespace runner {
namespace {

using results::FigurePoint;
using results::FigureSeries;
using results::part_of;

constexpr std::size_t kLevels = 16;  // of the colours of lines

// One of four shades on a terminal without colour.
std::string shade(double part, const Terminal& terminal) {
  static constexpr std::array kShades = {"░", "▒", "▓", "█"}, kPlain = {".", ":", "*", "#"};
  const auto at = static_cast<std::size_t>(std::clamp(part * 4, 0.0, 3.0));
  return terminal.colour ? " " : terminal.unicode ? kShades[at] : kPlain[at];
}

class Cells : PanelBase {
 public:
  explicit Cells(const PanelText& panel)
      : PanelBase(panel), colours_(results::colour_axis(figure_)) {
    for (const FigureSeries& series : panel_.series) {
      left_ = std::max(left_, display_width(row_name(series)));
      for (const FigurePoint& point : series.points)
        cell_ = std::max(cell_, display_width(value(point)));
    }
    for (const std::string& name : figure_.x_names)
      cell_ = std::max(cell_, std::min(12, display_width(results::safe_text(name))) - 2);
    cell_ += 4;  // a blank, the value, a blank, the shade, a blank
  }

  // Fits as many columns side by side as the width allows.
  std::string text() const {
    const auto fit = static_cast<std::size_t>(std::max(1, (width_ - left_ - 2) / cell_));
    std::string out = y_.name.empty() ? "" : name_text(y_.name, width_, terminal_) + "\n";
    for (std::size_t first = 0; first < figure_.x_names.size(); first += fit)
      out += block(first, std::min(first + fit, figure_.x_names.size()));
    return out + blanks(left_ + 3) + name_text(x_.name, width_ - left_ - 3, terminal_) + "\n";
  }

 private:
  std::string row_name(const FigureSeries& series) const {
    return name_text(figure_.series[series.name], width_ / 3, terminal_);
  }

  std::string value(const FigurePoint& point) const {
    const bool is = results::is_shown(point.y, figure_.log_y);
    return (is ? results::value_text(figure_, point.y) : "") +
           (is && !point.signs.empty() ? " " : "") + point.signs;
  }

  std::string cell(const FigurePoint& point) const {
    const std::string text = value(point);
    if (!results::is_shown(point.y, figure_.log_y)) return padded(" " + text, cell_);
    const double part = part_of(point.y, colours_);
    return on_scale(part, terminal_,
                    " " + padded(text, cell_ - 4) + " " + shade(part, terminal_) + " ");
  }

  std::string block(std::size_t first, std::size_t end) const {
    std::string out;
    for (const FigureSeries& series : panel_.series) {
      out += padded(row_name(series), left_) + " " + either("│", "|");
      std::string cells;
      for (std::size_t i = first; i < end; ++i) {
        const auto point =
            std::find_if(series.points.begin(), series.points.end(),
                         [&](const FigurePoint& p) { return static_cast<std::size_t>(p.x) == i; });
        cells += point == series.points.end() ? blanks(cell_) : cell(*point);
      }
      while (cells.ends_with(' ')) cells.pop_back();
      out += cells + "\n";
    }
    std::string names;
    for (std::size_t i = first; i < end; ++i)
      names += " " + padded(name_text(figure_.x_names[i], cell_ - 2, terminal_), cell_ - 1);
    while (names.ends_with(' ')) names.pop_back();
    return out + blanks(left_ + 2) + names + "\n";
  }

  const results::Axis colours_;
  int left_ = 0, cell_ = 0;
};

// ----- Groups -----

std::string in_level(std::size_t level, const Terminal& terminal, const std::string& text) {
  return in_line_scale(static_cast<double>(level) / (kLevels - 1), terminal, text);
}

class Groups : PanelBase {
 public:
  explicit Groups(const PanelText& panel) : PanelBase(panel), axes_(results::group_axes(figure_)) {}

  std::string text() const {
    int wide = 0;
    for (const auto& [value, text] : results::ticks_of(axes_.y))
      wide = std::max(wide, display_width(text));
    const int width = width_ - wide - 1, height = rows();
    TextCanvas canvas(width, height, terminal_, nullptr, in_level);
    for (const std::vector<double>& line : results::group_lines(figure_, panel_, axes_))
      add_line(line, &canvas);
    for (std::size_t i = 0; i <= axes_.values.size(); ++i) add_upright(i, height, &canvas);
    for (std::size_t key = 0; key < axes_.values.size(); ++key) add_values(key, height, &canvas);
    std::vector<std::string> beside(static_cast<std::size_t>(height));
    for (const auto& [value, text] : results::ticks_of(axes_.y))
      beside[static_cast<std::size_t>(canvas.row(part_of(value, axes_.y)))] = text;
    std::string out;
    for (int row = 0; row < height; ++row) {
      const std::string& value = beside[static_cast<std::size_t>(row)];
      out += canvas.text(row) + (value.empty() ? "" : " ") + value + "\n";
    }
    return out + names(canvas, width) + "\n";
  }

 private:
  double x(std::size_t axis) const { return results::even_part(axis, axes_.values.size() + 1); }

  void add_line(const std::vector<double>& line, TextCanvas* canvas) const {
    const auto level = static_cast<std::size_t>(std::lround(line.back() * (kLevels - 1)));
    for (std::size_t i = 1; i < line.size(); ++i)
      canvas->line(x(i - 1), line[i - 1], x(i), line[i], level);
  }

  void add_upright(std::size_t axis, int height, TextCanvas* canvas) const {
    for (int row = 0; row < height; ++row)
      canvas->put(x(axis), 1 - (row + 0.5) / height, either("│", "|"), kNoSeries);
  }

  void add_values(std::size_t key, int height, TextCanvas* canvas) const {
    const auto& values = axes_.values[key];
    const std::size_t every = values.size() / static_cast<std::size_t>(height) + 1;
    const int room = canvas->column(x(1)) - 4;
    for (std::size_t i = 0; i < values.size(); i += every)
      canvas->write(canvas->column(x(key)) + 2, canvas->row(results::even_part(i, values.size())),
                    name_text(values[i].empty() ? "none" : values[i], room, terminal_), kNoSeries);
  }

  // The names of the axes; without their sections if they would not fit.
  std::string names(const TextCanvas& canvas, int width) const {
    Labels labels;
    const int room = std::max(1, axes_.values.empty() ? width : canvas.column(x(1)) - 1);
    for (std::size_t i = 0; i < figure_.x_names.size(); ++i) {
      std::string name = figure_.x_names[i];
      if (display_width(name) > room) name = name.substr(name.rfind('.') + 1);
      labels.emplace_back(canvas.column(x(i)), name_text(name, room, terminal_));
    }
    return label_line(labels, width_);
  }

  const results::GroupAxes axes_;
};

}  // namespace

std::string cells_text(const PanelText& panel) { return Cells(panel).text(); }
std::string groups_text(const PanelText& panel) { return Groups(panel).text(); }

}  // namespace runner
