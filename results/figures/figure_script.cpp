#include "results/figures/figure_script.h"

#include "lcsm/base/words.h"
#include "results/figures/figure_axes.h"
#include "results/figures/figure_kinds.h"
#include "results/figures/figure_layout.h"
#include "results/figures/figure_style.h"
#include "results/text/escape.h"
#include "results/text/number_text.h"

namespace results {
namespace {

// Escapes a tick label, which gnuplot reads as a format string.
std::string tick_text(std::string_view text) {
  std::string out;
  for (const char c : script_text(text, kTickRoom)) out.append(c == '%' ? 2 : 1, c);
  return out;
}

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
        kind_(kind_of(figure)),
        layout_(layout_of(figure)),
        x_(kind_.x_axis(figure)),
        y_(kind_.y_axis(figure)),
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
           "' linewidth 0.6 pointscale 0.6 size " + script_number(kPdfWidth) + "cm," +
           script_number(kPdfWidth * layout_.height / layout_.width) + "cm");
    else
      line("set terminal svg noenhanced font 'sans-serif," + std::string(fonts_.usual) + "'" +
           size + (canvas == Canvas::kSvg ? white : ""));
    line("set multiplot");
    line(std::string("set border ") + (y_.bare ? "0" : "3") + " lw 0.8");
    line("set tics nomirror out scale 0.6");
    if (kind_.over != Over::kValues) line("set grid ytics lc rgb '#999999' lw 0.4 dt 3");
    line("unset key");
    line("set style fill transparent solid " + script_number(kBandOpacity) + " noborder");
  }

  // ----- A panel -----

  void set_axis(const std::string& name, const Axis& axis, bool rotated) {
    line(axis.log ? "set logscale " + name + " 10" : "unset logscale " + name);
    line("set " + name + "range [" + script_number(axis.low) + ":" + script_number(axis.high) +
         "]");
    const std::string ticks = lcsm::joined_of(axis.ticks, [](const auto& tick) {
      return tick_text(tick.second) + " " + script_number(tick.first);
    });
    if (axis.bare)
      line("unset " + name + "tics");
    else
      line("set " + name + "tics " + (rotated ? "rotate by -40 " : "norotate ") + "(" + ticks +
           ")");
  }

  void add_panel(std::size_t index) {
    const FigurePanel& panel = figure_.panels[index];
    const Box box = layout_.panels[index];
    line("set origin " + script_number(box.x) + "," + script_number(box.y));
    line("set size " + script_number(box.width) + "," + script_number(box.height));
    line("set margins " + script_number(layout_.left_letters) + "," +
         script_number(layout_.right_letters) + "," + script_number(layout_.bottom_lines) +
         (panel.title.empty() ? ",0.6" : ",1.8"));
    line("set title " + script_text(panel.title, layout_.panel_room) + " offset 0,-0.6");
    line("set xlabel " + script_text(x_.name, layout_.panel_room));
    line("set ylabel " + script_text(y_.name, kAxisRoom));
    set_axis("x", x_, layout_.rotated);
    set_axis("y", y_, false);
    PanelPlots plots;
    kind_.plot({figure_, panel, index, x_, y_, fonts_.small, layout_.panel_letters}, &plots);
    out_ += plots.labels + plots.data;
    plots.plots.emplace_back("NaN notitle");
    plot(plots.plots);
    if (!plots.labels.empty()) line("unset label");
  }

  void plot(const std::vector<std::string>& plots) {
    line("plot " + lcsm::joined(plots, ", \\\n     "));
  }

  // ----- Title, legend and notes -----

  void label(int number_of, const std::string& text, double x, double y, const std::string& how) {
    line("set label " + std::to_string(number_of) + " " + script_text(text) + " at screen " +
         script_number(x) + "," + script_number(y) + " " + how);
  }

  void add_rest() {
    line("unset title; unset xlabel; unset ylabel; unset border; unset tics; unset grid");
    line("unset logscale x; unset logscale y");
    line("set origin 0," + script_number(layout_.key.y));
    line("set size 1," + script_number(layout_.key.height));
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
    const std::vector<std::string> names = legend_of(figure_);
    if (layout_.has_key)
      for (std::size_t i = 0; i < names.size(); ++i)
        plots.push_back(
            "NaN with " + kind_.key(style_of(i)) + " title " +
            script_text((is_numbered(figure_) ? std::to_string(i + 1) + "  " : "") + names[i],
                        kKeyRoom));
    if (figure_.has_published) plots.push_back(paper_key());
    if (kind_.colours != nullptr) plots.push_back(colour_bar());
    if (plots.empty()) plots.emplace_back("NaN notitle");
    plot(plots);
    line("unset multiplot");
  }

  // The colors of y, from low to high, in the legend's box.
  std::string colour_bar() {
    constexpr int kSteps = 64;
    constexpr double kLeft = 0.35, kWidth = 0.4, kMiddle = 0.72, kHalf = 0.24;
    const Axis axis = colour_axis(figure_);
    out_ += "$bar << END\n";
    for (int i = 0; i < kSteps; ++i)
      line(script_number(kLeft + kWidth * (i + 0.5) / kSteps) + " " +
           script_colour(kind_.colours((i + 0.5) / kSteps)));
    line("END");
    const std::string small = " font '," + std::string(fonts_.small) + "'";
    for (const double part : {0.0, 0.5, 1.0})
      line("set label " + script_text(short_number(axis.at(part), 4)) + " at " +
           script_number(kLeft + kWidth * part) + ",0.22 center" + small);
    line("set label " + script_text(axis.name, kAxisRoom) + " at " + script_number(kLeft - 0.02) +
         "," + script_number(kMiddle) + " right");
    return "$bar using 1:(" + script_number(kMiddle) + "):(" + script_number(kWidth / kSteps / 2) +
           "):(" + script_number(kHalf) +
           "):2 with boxxyerror fs solid 1 noborder lc rgb variable notitle";
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
