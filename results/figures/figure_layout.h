// Where the parts of a figure stand, in gnuplot's screen: 0 to 1, from the left and from below.
#pragma once

#include <string>
#include <vector>

#include "results/figures/figure.h"
#include "results/figures/figure_axes.h"

namespace results {

// Characters that have room in a title, along the y axis, at a tick of x, in the key.
inline constexpr int kTitleRoom = 72, kAxisRoom = 30, kTickRoom = 24, kKeyRoom = 80;

// The text, or its beginning with an ellipsis; both in UTF-8.
std::string shortened(const std::string& text, int room);

struct Box {
  double x = 0, y = 0, width = 1, height = 1;
};

struct Layout {
  int width = 720, height = 0;  // pixels
  std::vector<Box> panels;
  double bottom_lines = 3.2;  // of a panel, below its axis
  bool rotated = false;       // the names of x
  int panel_room = 0;         // characters over or below a panel
  Box key;
  bool has_key = true;
  int key_columns = 1;
  std::vector<std::string> notes;  // lines
  double title_y = 0, note_x = 0, note_y = 0, note_step = 0;
};

Layout layout_of(const Figure& figure);

// As many of the points as can be seen: the first, the last, and one for each part of the axis. A
// point with a sign stays.
std::vector<FigurePoint> thinned(const std::vector<FigurePoint>& points, const Axis& x);

}  // namespace results
