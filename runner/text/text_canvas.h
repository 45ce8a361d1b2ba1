// A plot drawn with characters: lines of small dots, with signs on top. Coordinates run from 0 to
// 1, from the left and from the bottom.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "runner/text/terminal.h"

namespace runner {

class TextCanvas {
 public:
  TextCanvas(int width, int height, const Terminal& terminal);

  void line(double x0, double y0, double x1, double y1, std::size_t series);
  void put(double x, double y, const std::string& sign, std::size_t series);
  void put_if_free(double x, double y, const std::string& sign, std::size_t series);
  void put_right_of(double x, double y, const std::string& sign, std::size_t series);

  int column(double x) const;
  int row(double y) const;          // from the top
  std::string text(int row) const;  // without trailing spaces

 private:
  struct Cell {
    unsigned dots = 0;  // of a braille character
    std::string sign;
    std::size_t series = 0;
  };
  Cell& cell(int column, int row) {
    return cells_[static_cast<std::size_t>(row * width_ + column)];
  }

  int width_, height_;
  Terminal terminal_;
  std::vector<Cell> cells_;
};

// `text` in the colour of a series, if the terminal has colour.
std::string in_colour_of(std::size_t series, const Terminal& terminal, const std::string& text);

// The sign that marks the points of a series.
std::string sign_of(std::size_t series, const Terminal& terminal);

}  // namespace runner
