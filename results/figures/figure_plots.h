// Writes the gnuplot commands for the panels of each kind of figure.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "results/figures/figure.h"
#include "results/figures/figure_axes.h"
#include "results/figures/figure_scale.h"
#include "results/figures/figure_style.h"

namespace results {

struct PanelView {
  const Figure& figure;
  const FigurePanel& panel;
  std::size_t index;
  const Axis &x, &y;
  const char* small_font;  // its size
  double letters = 0;      // letters of that font that fit side by side
};

// The data of a panel, and how it is plotted.
struct PanelPlots {
  std::string labels;              // "set label ..."
  std::string data;                // "$p0s1 << END ... END"
  std::vector<std::string> plots;  // "$p0s1 using 1:2 with points pt 7 notitle"

  // Adds a block; each of `how` follows its name in the plot command. Does nothing for a block
  // without rows.
  void add(const std::string& block, const std::string& rows, const std::vector<std::string>& how);

  // A name at a place of the axes, drawn as a label: in a data block it would need other quotes.
  void name(double x, double y, const std::string& text, const std::string& where);
};

// figure_series.cpp
void plot_lines(const PanelView& panel, PanelPlots* plots);
void plot_dots(const PanelView& panel, PanelPlots* plots);
void plot_pairs(const PanelView& panel, PanelPlots* plots);
std::string lines_key(const SeriesStyle& style);
std::string dots_key(const SeriesStyle& style);

// figure_plots.cpp
void plot_cells(const PanelView& panel, PanelPlots* plots);
void plot_groups(const PanelView& panel, PanelPlots* plots);
void plot_bars(const PanelView& panel, PanelPlots* plots);

// ----- Parts of a script -----

std::string script_number(double value);

// A text that gnuplot neither expands nor formats, shortened to `room` characters.
std::string script_text(std::string_view text, int room = 200);

std::string script_colour(std::string_view rgb);  // " lc rgb '#0072b2'"
std::string script_colour(const Rgb& colour);     // "30130", in a column of data

// "$p0s1": a block of data of a panel.
std::string block_name(const PanelView& panel, char kind, std::size_t number);

// "left offset 0.6,0.5 font ',10' tc rgb '#0072b2'"
std::string small_with(const PanelView& panel, const std::string& where, std::string_view rgb);

}  // namespace results
