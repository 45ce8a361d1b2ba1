#include "results/figures/figure_plots.h"

#include <algorithm>

#include "results/figures/figure_groups.h"
#include "results/figures/figure_layout.h"
#include "results/text/escape.h"
#include "results/text/grid.h"

namespace results {
namespace {

constexpr std::string_view kGrey = "#7a7a7a", kBlack = "#000000";
constexpr std::size_t kMostLabels = 12;  // that are written along an upright axis

std::string place(double x, double y) { return script_number(x) + " " + script_number(y); }

// The text of a cell: its number and marks.
std::string cell_text_of(const Figure& figure, const FigurePoint& point) {
  const bool is = is_shown(point.y, figure.log_y);
  const std::string number = is ? value_text(figure, point.y) : "";
  return number + (is && !point.signs.empty() ? " " : "") + point.signs;
}

}  // namespace

void PanelPlots::add(const std::string& block, const std::string& rows,
                     const std::vector<std::string>& how) {
  if (rows.empty()) return;
  data += block + " << END\n" + rows + "END\n";
  for (const std::string& one : how) plots.push_back(block + one + " notitle");
}

void PanelPlots::name(double x, double y, const std::string& text, const std::string& where) {
  if (text.empty()) return;
  labels += "set label " + script_text(text, kTickRoom) + " at " + script_number(x) + "," +
            script_number(y) + " " + where + "\n";
}

// ----- Cells -----

void plot_cells(const PanelView& panel, PanelPlots* plots) {
  const Axis colours = colour_axis(panel.figure);
  std::string cells, numbers;
  std::size_t longest = 0;
  for (const FigureSeries& series : panel.panel.series)
    for (const FigurePoint& point : series.points) {
      const std::string at = place(point.x, static_cast<double>(series.name));
      const bool is = is_shown(point.y, panel.figure.log_y);
      const Rgb colour = scale_colour(is ? part_of(point.y, colours) : 0);
      if (is) cells += at + " " + script_colour(colour) + "\n";
      const std::string text = cell_text_of(panel.figure, point);
      longest = std::max(longest, text.size());
      const Rgb ink = !is ? Rgb{} : is_dark(colour) ? Rgb{255, 255, 255} : Rgb{16, 16, 16};
      if (!text.empty()) numbers += at + " \"" + text + "\" " + script_colour(ink) + "\n";
    }
  const std::string block = block_name(panel, 'c', 0);
  plots->add(block, cells,
             {" using 1:2:(0.48):(0.48):3 with boxxyerror fs solid 1 noborder lc rgb variable"});
  const auto columns = static_cast<double>(panel.figure.x_names.size());
  if (static_cast<double>(longest + 2) * columns < panel.letters)
    plots->add(block + "n", numbers,
               {" using 1:2:3:4 with labels font '," + std::string(panel.small_font) +
                "' tc rgb variable"});
}

// ----- Groups -----

void plot_groups(const PanelView& panel, PanelPlots* plots) {
  const GroupAxes axes = group_axes(panel.figure);
  std::string lines, uprights;
  for (const std::vector<double>& line : group_lines(panel.figure, panel.panel, axes)) {
    const std::string colour = script_colour(line_colour(line.back()));
    for (std::size_t i = 0; i < line.size(); ++i)
      lines += place(static_cast<double>(i), line[i]) + " " + colour + "\n";
    lines += "\n";
  }
  for (std::size_t i = 0; i <= axes.values.size(); ++i) {
    const auto x = static_cast<double>(i);
    uprights += place(x, 0) + "\n" + place(x, 1) + "\n\n";
  }
  const std::string block = block_name(panel, 'g', 0);
  plots->add(block, lines, {" using 1:2:3 with lines lw 1.6 lc rgb variable"});
  plots->add(block + "axes", uprights, {" using 1:2 with lines lw 1" + script_colour(kGrey)});
  const std::string beside = small_with(panel, "left offset 0.4,0.5", kBlack);
  for (std::size_t key = 0; key < axes.values.size(); ++key) {
    const auto& values = axes.values[key];
    for (std::size_t i = 0; i < values.size(); i += values.size() / kMostLabels + 1)
      plots->name(static_cast<double>(key), even_part(i, values.size()),
                  values[i].empty() ? "none" : values[i], beside);
  }
  for (const auto& [value, text] : axes.y.ticks)
    plots->name(static_cast<double>(axes.values.size()), part_of(value, axes.y), text,
                small_with(panel, "left offset 0.4,0", kBlack));
}

// ----- Bars -----

void plot_bars(const PanelView& panel, PanelPlots* plots) {
  if (panel.panel.series.empty()) return;
  std::string bars, numbers;
  for (const FigurePoint& point : panel.panel.series[0].points) {
    if (!is_shown(point.y, false)) continue;
    const bool rest = point.x + 1 == static_cast<double>(panel.figure.x_names.size());
    const Rgb grey{0x7a, 0x7a, 0x7a}, blue{0x00, 0x72, 0xb2};
    bars += place(point.x, point.y) + " " + script_colour(rest ? grey : blue) + "\n";
    numbers += place(point.x, point.y) + " " + value_text(panel.figure, point.y) + "\n";
  }
  const std::string block = block_name(panel, 'b', 0);
  plots->add(block, bars, {" using 1:2:(0.6):3 with boxes fs solid 1 noborder lc rgb variable"});
  plots->add(block + "n", numbers,
             {" using 1:2:3 with labels " + small_with(panel, "center offset 0,0.6", kBlack)});
}

// ----- Parts of a script -----

std::string script_number(double value) { return cell_text(Cell{value}); }

// In single quotes gnuplot expands nothing, but it misreads two quotes in a row. A text that
// contains one is put in double quotes, where a backquote would start a command.
std::string script_text(std::string_view text, int room) {
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

std::string script_colour(std::string_view rgb) { return " lc rgb '" + std::string(rgb) + "'"; }

std::string script_colour(const Rgb& colour) {
  return std::to_string(colour.red << 16 | colour.green << 8 | colour.blue);
}

std::string block_name(const PanelView& panel, char kind, std::size_t number) {
  return "$p" + std::to_string(panel.index) + kind + std::to_string(number);
}

std::string small_with(const PanelView& panel, const std::string& where, std::string_view rgb) {
  return where + " font '," + panel.small_font + "' tc rgb '" + std::string(rgb) + "'";
}

}  // namespace results
