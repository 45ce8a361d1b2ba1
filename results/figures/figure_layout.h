// Lays out a figure in gnuplot's screen coordinates: 0 to 1, from the left and the bottom.
#pragma once

#include <string>
#include <vector>

#include "results/figures/figure.h"
#include "results/figures/figure_axes.h"

namespace results {

// Characters that fit in the title, along the y axis, at a tick of x, in the legend.
inline constexpr int kTitleRoom = 72, kAxisRoom = 30, kTickRoom = 24, kKeyRoom = 80;

// The text, or its beginning and an ellipsis; in UTF-8.
std::string shortened(const std::string& text, int room);

struct Box {
  double x = 0, y = 0, width = 1, height = 1;
};

struct Layout {
  int width = 720, height = 0;  // pixels
  std::vector<Box> panels;
  double bottom_lines = 3.2;                   // lines of text below the axis of a panel
  double left_letters = 9, right_letters = 2;  // beside a panel
  bool rotated = false;                        // the names of x
  int panel_room = 0;                          // characters that fit above or below a panel
  double panel_letters = 0;                    // small characters that fit across a panel
  Box key;
  bool has_key = true;
  int key_columns = 1;
  std::vector<std::string> notes;  // lines
  double title_y = 0, note_x = 0, note_y = 0, note_step = 0;
};

Layout layout_of(const Figure& figure);

// The most points of a scatter panel that show their names.
inline constexpr std::size_t kMostNamed = 24;

// True if a scatter's points show their series' numbers, as in the legend: there are too many for
// names, and more series than styles.
bool is_numbered(const Figure& figure);

// Keeps as many points as can be distinguished: the first, the last, and one per small part of the
// axis. Points with signs are always kept.
std::vector<FigurePoint> thinned(const std::vector<FigurePoint>& points, const Axis& x);

}  // namespace results
