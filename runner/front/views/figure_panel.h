// Draws the panels of a figure with characters, one function per kind.
#pragma once

#include <string>
#include <vector>

#include "results/figures/figure.h"
#include "results/figures/figure_axes.h"
#include "runner/base/text/terminal.h"
#include "runner/base/text/text_canvas.h"

namespace runner {

struct PanelText {
  const results::Figure& figure;
  const results::FigurePanel& panel;
  const Terminal& terminal;
  int width;
  JoinedMarks* joined;  // of the whole figure
};

// figure_plot.cpp
std::string lines_text(const PanelText& panel);
std::string pairs_text(const PanelText& panel);

// figure_rows.cpp
std::string dots_text(const PanelText& panel);
std::string bars_text(const PanelText& panel);

// ----- Parts of panels -----

std::string blanks(int count);

// Makes a text of unknown origin safe, and cuts it to the width.
std::string name_text(const std::string& text, int width, const Terminal& terminal);

// The base of all kinds of panels.
class PanelBase {
 public:
  explicit PanelBase(const PanelText& panel);

 protected:
  const char* either(const char* unicode, const char* plain) const {
    return terminal_.unicode ? unicode : plain;
  }

  bool is_drawn(const results::FigurePoint& point) const {
    return results::is_shown(point.x, x_.log) && results::is_shown(point.y, y_.log);
  }

  // The axis below a canvas that starts at column `left`, its ticks and their labels.
  std::string bottom(const results::Axis& axis, const TextCanvas& canvas, int left,
                     int width) const;

  // The height of a plot, chosen so that all panels fit on the terminal if they can.
  int rows() const;

  const results::Figure& figure_;
  const results::FigurePanel& panel_;
  const Terminal& terminal_;
  const int width_;
  JoinedMarks* const joined_;
  const results::Axis x_, y_;
};

}  // namespace runner
