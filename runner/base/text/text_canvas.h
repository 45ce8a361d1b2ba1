// A plot drawn with characters: lines of small dots, with signs on top. Coordinates run from 0 to
// 1, from the left and from the bottom.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "runner/base/text/terminal.h"

namespace runner {

// The marker of one series.
struct CanvasMark {
  std::string sign;
  std::size_t series = 0;
  bool operator==(const CanvasMark&) const = default;
};

// Sets of marks that fall on one cell. The cell shows the set's number: ① for the first set.
class JoinedMarks {
 public:
  static constexpr std::size_t kMost = 9;  // the last number stands for all further sets

  CanvasMark mark_of(const std::vector<CanvasMark>& marks, const Terminal& terminal);
  const std::vector<std::vector<CanvasMark>>& sets() const { return sets_; }
  static std::string sign(std::size_t set, const Terminal& terminal);

 private:
  std::vector<std::vector<CanvasMark>> sets_;  // at most kMost; empty: all further sets
};

inline constexpr std::size_t kNoSeries = static_cast<std::size_t>(-1);  // has no color

// `text` in the color of a series.
std::string in_colour_of(std::size_t series, const Terminal& terminal, const std::string& text);

class TextCanvas {
 public:
  // If `joined` is null, the last of several signs on one cell is shown.
  TextCanvas(int width, int height, const Terminal& terminal, JoinedMarks* joined = nullptr);

  void line(double x0, double y0, double x1, double y1, std::size_t series);
  void put(double x, double y, const std::string& sign, std::size_t series);
  void put_if_free(double x, double y, const std::string& sign, std::size_t series);
  void put_right_of(double x, double y, const std::string& sign, std::size_t series);

  // Writes `text` from this cell on if there is room beside other signs. Returns true if it did.
  bool write(int column, int row, const std::string& text, std::size_t series);

  int column(double x) const;
  int row(double y) const;          // from the top
  std::string text(int row) const;  // without trailing spaces

 private:
  struct Cell {
    unsigned dots = 0;  // of a braille character
    std::vector<CanvasMark> marks;
    std::size_t series = 0;  // of the dots
    bool covered = false;    // by a wide character to the left
    bool free() const { return marks.empty() && !covered; }
  };
  Cell& cell(int column, int row) {
    return cells_[static_cast<std::size_t>(row * width_ + column)];
  }

  int width_, height_;
  Terminal terminal_;
  JoinedMarks* joined_;
  std::vector<Cell> cells_;
};

// The sign that marks the points of a series.
std::string sign_of(std::size_t series, const Terminal& terminal);

}  // namespace runner
