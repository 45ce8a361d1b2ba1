#include "results/figures/figure_script.h"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <map>

#include "results/figures/figure_axes.h"
#include "results/figures/figure_kinds.h"
#include "results/figures/figure_layout.h"
#include "results/figures/figure_style.h"
#include "results/text/escape.h"
#include "results/text/grid.h"

namespace results {
namespace {

std::string number(double value) { return cell_text(Cell{value}); }

// In single quotes gnuplot expands nothing, but it misreads two quotes in a row. So a text with one
// is in double quotes, where a backquote would start a command. Shortened to `room` characters.
std::string literal(std::string_view text, int room = 200) {
  const std::string shown = shortened(safe_text(text), room);
  if (shown.find('\'') == std::string::npos) return "'" + shown + "'";
  std::string out = "\"";
  for (const char c : shown)
    if (c == '`')
      out += "\\140";
    else
      out += (c == '"' || c == '\\' ? "\\" : "") + std::string(1, c);
  return out + "\"";
}

// A tick label is a format string.
std::string tick_text(std::string_view text) {
  std::string out;
  for (const char c : literal(text, kTickRoom)) out.append(c == '%' ? 2 : 1, c);
  return out;
}

std::string colour(std::string_view rgb) { return " lc rgb '" + std::string(rgb) + "'"; }

// Font sizes. A PNG is scaled by two, its fonts with it. A PDF is as wide as a page's text.
struct Fonts {
  const char *usual, *small, *large;
};
constexpr Fonts kSvgFonts{"12", "10", "15"}, kPngFonts{"9", "7.5", "11.5"},
    kPdfFonts{"7.5", "6.3", "9.5"};
constexpr double kPdfWidth = 16;  // cm

constexpr const Fonts& fonts_of(Canvas canvas) {
  return canvas == Canvas::kPng ? kPngFonts : canvas == Canvas::kPdf ? kPdfFonts : kSvgFonts;
}

class Script {
 public:
  Script(const Figure& figure, Canvas canvas)
      : figure_(figure),
        kind_(kind_of(figure.kind, !figure.x_names.empty())),
        layout_(layout_of(figure)),
        x_(x_axis(figure)),
        y_(y_axis(figure)),
        fonts_(fonts_of(canvas)) {
    set_canvas(canvas);
    for (std::size_t i = 0; i < figure.panels.size(); ++i) add_panel(i);
    add_rest();
  }
  std::string text() && { return std::move(out_); }

 private:
  void line(const std::string& text) { out_ += text + "\n"; }

  void set_canvas(Canvas canvas) {
    line("# written by lcsm figure; needs gnuplot 5.4 or newer");
    line("set encoding utf8");
    const std::string white = " background '" + std::string(kPaper) + "'";
    const int scale = canvas == Canvas::kPng ? 2 : 1;
    const std::string size = " size " + std::to_string(layout_.width * scale) + "," +
                             std::to_string(layout_.height * scale);
    if (canvas == Canvas::kPng)
      line("set terminal pngcairo noenhanced" + white + " font 'DejaVu Sans," + fonts_.usual +
           "' fontscale 2 linewidth 2 pointscale 2" + size);
    else if (canvas == Canvas::kPdf)
      line("set terminal pdfcairo noenhanced" + white + " font 'DejaVu Sans," + fonts_.usual +
           "' linewidth 0.6 pointscale 0.6 size " + number(kPdfWidth) + "cm," +
           number(kPdfWidth * layout_.height / layout_.width) + "cm");
    else
      line("set terminal svg noenhanced font 'sans-serif," + std::string(fonts_.usual) + "'" +
           size + (canvas == Canvas::kSvg ? white : ""));
    line("set multiplot");
    line("set border 3 lw 0.8");
    line("set tics nomirror out scale 0.6");
    line("set grid ytics lc rgb '#999999' lw 0.4 dt 3");
    line("unset key");
    line("set style fill transparent solid 0.18 noborder");
  }

  // ----- A panel -----

  void set_axis(const std::string& name, const Axis& axis, bool rotated) {
    line(axis.log ? "set logscale " + name + " 10" : "unset logscale " + name);
    line("set " + name + "range [" + number(axis.low) + ":" + number(axis.high) + "]");
    std::string ticks;
    for (const auto& [value, text] : axis.ticks)
      ticks += (ticks.empty() ? "" : ", ") + tick_text(text) + " " + number(value);
    if (ticks.empty())
      line("set " + name + "tics auto format '%g'");
    else
      line("set " + name + "tics " + (rotated ? "rotate by -40 " : "norotate ") + "(" + ticks +
           ")");
  }

  void add_panel(std::size_t index) {
    const FigurePanel& panel = figure_.panels[index];
    const Box box = layout_.panels[index];
    line("set origin " + number(box.x) + "," + number(box.y));
    line("set size " + number(box.width) + "," + number(box.height));
    line("set margins 9,2," + number(layout_.bottom_lines) +
         (panel.title.empty() ? ",0.6" : ",1.8"));
    line("set title " + literal(panel.title, layout_.panel_room) + " offset 0,-0.6");
    line("set xlabel " + literal(figure_.x, layout_.panel_room));
    line("set ylabel " + literal(figure_.y, kAxisRoom));
    set_axis("x", x_, layout_.rotated);
    set_axis("y", y_, false);
    std::vector<std::string> plots;
    for (const FigureSeries& series : panel.series) add_series(index, series, &plots);
    add_signs(panel, index, &plots);
    plots.emplace_back("NaN notitle");
    plot(plots);
  }

  void plot(const std::vector<std::string>& plots) {
    std::string all;
    for (const std::string& one : plots) all += (all.empty() ? "plot " : ", \\\n     ") + one;
    line(all);
  }

  // On an axis of names, where no line joins the points, series are drawn side by side.
  double shift(std::size_t series) const {
    if (figure_.x_names.empty()) return 0;
    const auto n = static_cast<double>(figure_.series.size());
    return (static_cast<double>(series) - (n - 1) / 2) * 0.6 / n;
  }

  bool is_drawn(const FigurePoint& point) const {
    return is_shown(point.x, x_.log) && is_shown(point.y, y_.log);
  }

  // A low end that a logarithmic axis cannot show is drawn on the axis.
  double shown_low(double value) const { return is_shown(value, y_.log) ? value : y_.low; }

  void add_series(std::size_t panel, const FigureSeries& series, std::vector<std::string>* plots) {
    const SeriesStyle style = style_of(series.name);
    const std::string block = "$p" + std::to_string(panel) + "s" + std::to_string(series.name);
    std::string data, gap;
    const auto points = thinned(series.points, x_);
    for (const FigurePoint& point : points) {
      if (!is_drawn(point)) {
        gap = data.empty() ? "" : "\n";
        continue;
      }
      data += gap + number(point.x + shift(series.name)) + " " + number(point.y) + " " +
              number(shown_low(point.low)) + " " + number(point.high) + "\n";
      gap.clear();
    }
    if (!data.empty()) {
      out_ += block + " << END\n" + data + "END\n";
      for (const std::string& one : kind_.plots({block, style, points.size()}))
        plots->push_back(one + " notitle");
    }
    add_published(block, series, style, plots);
  }

  void add_published(const std::string& block, const FigureSeries& series, const SeriesStyle& style,
                     std::vector<std::string>* plots) {
    std::string level, points;
    if (series.published && is_shown(*series.published, y_.log))
      level = number(x_.low) + " " + number(*series.published) + "\n" + number(x_.high) + " " +
              number(*series.published) + "\n";
    for (const FigurePoint& point : series.points)
      if (point.published && is_shown(*point.published, y_.log) && is_shown(point.x, x_.log))
        points += number(point.x + shift(series.name)) + " " + number(*point.published) + "\n";
    if (!level.empty()) {
      out_ += block + "level << END\n" + level + "END\n";
      plots->push_back(block + "level using 1:2 with lines dt 3 lw 1.2" + colour(style.colour) +
                       " notitle");
    }
    if (!points.empty()) {
      out_ += block + "paper << END\n" + points + "END\n";
      plots->push_back(block +
                       "paper using 1:2 with points pt 2 ps 0.9 lw 1.2 lc rgb '#000000' "
                       "notitle");
    }
  }

  // Marks are drawn beside their points, or at the bottom of the panel if there is no point.
  void add_signs(const FigurePanel& panel, std::size_t index, std::vector<std::string>* plots) {
    std::map<double, int> below;
    for (const FigureSeries& series : panel.series) {
      std::string data;
      for (const FigurePoint& point : series.points) {
        if (point.signs.empty() || !is_shown(point.x, x_.log)) continue;
        const double y =
            is_drawn(point) ? point.y : y_.at(0.01 + 0.05 * static_cast<double>(below[point.x]++));
        data += number(point.x + shift(series.name)) + " " + number(y) + " " + point.signs + "\n";
      }
      if (data.empty()) continue;
      const std::string block = "$p" + std::to_string(index) + "m" + std::to_string(series.name);
      out_ += block + " << END\n" + data + "END\n";
      plots->push_back(block + " using 1:2:3 with labels left offset 0.6,0.5 font '," +
                       fonts_.small + "' tc rgb '" + std::string(style_of(series.name).colour) +
                       "' notitle");
    }
  }

  // ----- Title, legend and notes -----

  void label(int number_of, const std::string& text, double x, double y, const std::string& how) {
    line("set label " + std::to_string(number_of) + " " + literal(text) + " at screen " +
         number(x) + "," + number(y) + " " + how);
  }

  void add_rest() {
    line("unset title; unset xlabel; unset ylabel; unset border; unset tics; unset grid");
    line("unset logscale x; unset logscale y");
    line("set origin 0," + number(layout_.key.y));
    line("set size 1," + number(layout_.key.height));
    line("set margins 0,0,0,0");
    line("set xrange [0:1]; set yrange [0:1]");
    line("set key center center horizontal Left reverse samplen 3 maxcols " +
         std::to_string(layout_.key_columns));
    if (!figure_.title.empty())
      label(1, shortened(safe_text(figure_.title), kTitleRoom), 0.5, layout_.title_y,
            std::string("center font ',") + fonts_.large + "'");
    for (std::size_t i = 0; i < layout_.notes.size(); ++i)
      label(static_cast<int>(i) + 2, layout_.notes[i], layout_.note_x,
            layout_.note_y - static_cast<double>(i) * layout_.note_step,
            std::string("left font ',") + fonts_.small + "'");
    std::vector<std::string> plots;
    if (layout_.has_key)
      for (std::size_t i = 0; i < figure_.series.size(); ++i)
        plots.push_back("NaN with " + kind_.key(style_of(i)) + " title " +
                        literal(figure_.series[i], kKeyRoom));
    if (figure_.has_published) plots.push_back(paper_key());
    if (plots.empty()) plots.emplace_back("NaN notitle");
    plot(plots);
    line("unset multiplot");
  }

  std::string paper_key() const {
    for (const FigurePanel& panel : figure_.panels)
      for (const FigureSeries& series : panel.series)
        if (series.published) return "NaN with lines dt 3 lw 1.2 lc rgb '#7a7a7a' title 'paper'";
    return "NaN with points pt 2 ps 0.9 lw 1.2 lc rgb '#000000' title 'paper'";
  }

  const Figure& figure_;
  const FigureKind& kind_;
  const Layout layout_;
  const Axis x_, y_;
  const Fonts fonts_;
  std::string out_;
};

}  // namespace

std::string figure_script(const Figure& figure, Canvas canvas) {
  Figure drawn = figure;
  if (canvas == Canvas::kInline) {
    drawn.title.clear();
    drawn.notes.clear();
  }
  return Script(drawn, canvas).text();
}

}  // namespace results
