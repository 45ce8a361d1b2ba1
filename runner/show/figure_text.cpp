#include "runner/show/figure_text.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "results/figures/figure_axes.h"
#include "results/figures/figure_kinds.h"
#include "results/figures/figure_layout.h"
#include "results/text/escape.h"
#include "runner/text/display_width.h"
#include "runner/text/text_canvas.h"
#include "runner/text/wrap.h"

namespace runner {
namespace {

using results::Axis;
using results::Figure;
using results::FigurePanel;
using results::FigurePoint;
using results::FigureSeries;
using results::part_of;

constexpr int kUsualWidth = 80, kNarrowest = 40, kFewestRows = 8, kRows = 16;
constexpr int kAroundPanel = 6, kAroundFigure = 5;  // lines: axes; title, key and prompt
constexpr std::size_t kFewPoints = 12;              // each with a sign

using Labels = std::vector<std::pair<int, std::string>>;  // by column

// One line, each label centered over its column; labels that do not fit are left out.
std::string label_line(const Labels& labels, int width) {
  std::string line;
  for (const auto& [column, text] : labels) {
    const int size = display_width(text);
    const int start = std::clamp(column - size / 2, 0, std::max(0, width - size));
    if (!line.empty() && start <= static_cast<int>(line.size())) continue;
    line += std::string(static_cast<std::size_t>(start) - line.size(), ' ') + text;
  }
  return line;
}

std::string blanks(int count) {
  return std::string(static_cast<std::size_t>(std::max(0, count)), ' ');
}

// A text of unknown origin, made safe and cut to the width.
std::string shown_name(const std::string& text, int width, const Terminal& terminal) {
  return cut_to_width(results::safe_text(text), width, terminal.unicode ? "…" : ".");
}

// What all kinds of panels share.
class Panel {
 public:
  Panel(const Figure& figure, const FigurePanel& panel, const Terminal& terminal, int width)
      : figure_(figure),
        panel_(panel),
        terminal_(terminal),
        width_(width),
        x_(results::x_axis(figure)),
        y_(results::y_axis(figure)) {}

 protected:
  const char* either(const char* unicode, const char* plain) const {
    return terminal_.unicode ? unicode : plain;
  }

  bool is_drawn(const FigurePoint& point) const {
    return results::is_shown(point.x, x_.log) && results::is_shown(point.y, y_.log);
  }

  // The axis below a canvas that starts at column `left`, its ticks and their labels.
  std::string bottom(const Axis& axis, const TextCanvas& canvas, int left, int width) const {
    Labels labels;
    std::string line;
    for (const auto& [value, text] : results::ticks_of(axis))
      labels.emplace_back(canvas.column(part_of(value, axis)), text);
    for (int column = 0; column < width; ++column) {
      const bool tick = std::any_of(labels.begin(), labels.end(),
                                    [&](const auto& label) { return label.first == column; });
      line += tick ? either("┬", "+") : either("─", "-");
    }
    return blanks(left - 1) + either("└", "+") + line + "\n" + blanks(left) +
           label_line(labels, width) + "\n";
  }

  // Of a plot, so that all panels fit on the terminal if they can.
  int rows() const {
    if (terminal_.height == 0) return kRows;
    const int panels = std::max(1, static_cast<int>(figure_.panels.size()));
    const int each = (terminal_.height - kAroundFigure) / panels - kAroundPanel;
    return std::clamp(each, kFewestRows, kRows);
  }

  const Figure& figure_;
  const FigurePanel& panel_;
  const Terminal& terminal_;
  const int width_;
  const Axis x_, y_;
};

// ----- Over numbers -----

class Plot : Panel {
 public:
  using Panel::Panel;

  std::string text() const {
    Labels labels;
    int wide = 0;
    for (const auto& [value, text] : results::ticks_of(y_)) {
      labels.emplace_back(0, text);
      wide = std::max(wide, display_width(text));
    }
    const int left = wide + 2, width = width_ - left, height = rows();
    TextCanvas canvas(width, height, terminal_);
    for (const FigureSeries& series : panel_.series) add_lines(series, &canvas);
    for (const FigureSeries& series : panel_.series) add_level(series, width, &canvas);
    for (const FigureSeries& series : panel_.series) add_signs(series, &canvas);
    std::size_t i = 0;
    for (const auto& [value, text] : results::ticks_of(y_))
      labels[i++].first = canvas.row(part_of(value, y_));
    std::string out = shown_name(figure_.y, width_, terminal_) + "\n";
    for (int row = 0; row < height; ++row) {
      const auto label = std::find_if(labels.begin(), labels.end(),
                                      [&](const auto& each) { return each.first == row; });
      const std::string text = label == labels.end() ? "" : label->second;
      out += blanks(wide - display_width(text)) + text + " " +
             (text.empty() ? either("│", "|") : either("┤", "+")) + canvas.text(row) + "\n";
    }
    const std::string name = shown_name(figure_.x, width_, terminal_);
    return out + bottom(x_, canvas, left, width) + blanks(width_ - display_width(name)) + name +
           "\n";
  }

 private:
  double x(const FigurePoint& point) const { return part_of(point.x, x_); }
  double y(double value) const { return part_of(value, y_); }

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

  void add_signs(const FigureSeries& series, TextCanvas* canvas) const {
    const std::vector<FigurePoint> points = results::thinned(series.points, x_);
    const std::size_t every = points.size() > kFewPoints ? points.size() / 6 : 1;
    for (std::size_t i = 0; i < points.size(); ++i) {
      const FigurePoint& point = points[i];
      if (point.published && results::is_shown(*point.published, y_.log))
        canvas->put(x(point), y(*point.published), either("×", "P"), series.name);
      if (!is_drawn(point)) continue;
      if (i % every == 0 || i + 1 == points.size())
        canvas->put(x(point), y(point.y), sign_of(series.name, terminal_), series.name);
      if (!point.signs.empty())
        canvas->put_right_of(x(point), y(point.y), point.signs, series.name);
    }
  }
};

// ----- Over names -----

class Rows : Panel {
 public:
  using Panel::Panel;

  std::string text() const {
    int wide = 0, values = 0;
    for (const std::string& name : figure_.x_names)
      wide = std::max(wide, display_width(shown_name(name, width_ / 3, terminal_)));
    for (const FigureSeries& series : panel_.series)
      for (const FigurePoint& point : series.points)
        values = std::max(values, display_width(value_text(point)));
    const int left = wide + 2, width = width_ - left - values;
    const TextCanvas scale(width, 1, terminal_);
    std::string out;
    for (std::size_t i = 0; i < figure_.x_names.size(); ++i) {
      std::string name = shown_name(figure_.x_names[i], wide, terminal_);
      for (const FigureSeries& series : panel_.series)
        for (const FigurePoint& point : series.points) {
          if (static_cast<std::size_t>(point.x) != i) continue;
          out += name + blanks(wide - display_width(name)) + " " + either("│", "|") +
                 row(series, point, width) + "\n";
          name.clear();
        }
    }
    const std::string metric = shown_name(figure_.y, left + width, terminal_);
    return out + bottom(y_, scale, left, width) + blanks(left + width - display_width(metric)) +
           metric + "\n";
  }

 private:
  std::string value_text(const FigurePoint& point) const {
    const bool is = results::is_shown(point.y, y_.log);
    return "  " + (is ? fmt::format("{:.4g}", point.y) : "") +
           (point.signs.empty() ? "" : " " + point.signs);
  }

  std::string row(const FigureSeries& series, const FigurePoint& point, int width) const {
    TextCanvas canvas(width, 1, terminal_);
    const auto part = [&](double value) { return part_of(value, y_); };
    const auto shown = [&](double value) { return results::is_shown(value, y_.log); };
    if (shown(point.low) && shown(point.high))
      for (int i = canvas.column(part(point.low)); i <= canvas.column(part(point.high)); ++i)
        canvas.put((i + 0.5) / width, 0, either("─", "-"), series.name);
    for (const auto& paper : {point.published, series.published})
      if (paper && shown(*paper)) canvas.put(part(*paper), 0, either("×", "P"), series.name);
    if (shown(point.y)) canvas.put(part(point.y), 0, sign_of(series.name, terminal_), series.name);
    const std::string line = canvas.text(0);
    return line + blanks(width - display_width(line)) + value_text(point);
  }
};

// ----- By kind -----

struct TextRow {
  std::string_view name;  // as in results/figures/figure_kinds.h
  std::string (*panel)(const Figure& figure, const FigurePanel& panel, const Terminal& terminal,
                       int width);
};

template <class Drawn>
std::string panel_text(const Figure& figure, const FigurePanel& panel, const Terminal& terminal,
                       int width) {
  return Drawn(figure, panel, terminal, width).text();
}

constexpr std::array kTextRows = {
    TextRow{"lines", panel_text<Plot>},
    TextRow{"dots", panel_text<Rows>},
};
static_assert(lcsm::same_names(kTextRows, results::kFigureKinds));

// ----- Around the panels -----

std::string key(const Figure& figure, const Terminal& terminal, int width) {
  std::string out;
  int column = 0;
  const auto add = [&](const std::string& sign, const std::string& name, std::size_t series) {
    const int size = 2 + display_width(name);
    if (column > 0 && column + 3 + size > width) {
      out += "\n";
      column = 0;
    }
    out += (column > 0 ? "   " : "") + in_colour_of(series, terminal, sign) + " " + name;
    column += (column > 0 ? 3 : 0) + size;
  };
  if (figure.series.size() > 1 || (figure.series.size() == 1 && !figure.series[0].empty()))
    for (std::size_t i = 0; i < figure.series.size(); ++i)
      add(sign_of(i, terminal), shown_name(figure.series[i], width - 2, terminal), i);
  bool levels = false;
  for (const FigurePanel& panel : figure.panels)
    for (const FigureSeries& series : panel.series) levels = levels || series.published;
  if (figure.has_published) {
    const bool lines = levels && figure.x_names.empty();
    add(terminal.unicode ? (lines ? "╌" : "×") : (lines ? "-" : "P"), "paper", 4);
  }
  return out.empty() ? "" : out + "\n";
}

}  // namespace

std::string figure_text(const Figure& figure, const Terminal& terminal) {
  const int width = terminal.width > 0 ? std::max(kNarrowest, terminal.width) : kUsualWidth;
  const results::FigureKind& kind = results::kind_of(figure.kind, !figure.x_names.empty());
  const TextRow& row = lcsm::row_for(kTextRows, results::kFigureKinds, kind);
  std::string out;
  if (!figure.title.empty())
    out += styled(terminal, Style::kBold, shown_name(figure.title, width, terminal)) + "\n\n";
  for (const FigurePanel& panel : figure.panels) {
    if (!panel.title.empty()) out += shown_name(panel.title, width, terminal) + "\n";
    out += row.panel(figure, panel, terminal, width) + "\n";
  }
  out += key(figure, terminal, width);
  for (const std::string& note : figure.notes)
    if (!figure.x_names.empty() || !note.starts_with("band: "))  // a plot of characters has none
      wrap_onto(out, results::safe_text(note), 0, width);
  return out;
}

}  // namespace runner
