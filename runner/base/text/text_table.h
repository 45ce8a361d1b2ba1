// A table for people: aligned columns, separated by two spaces. On a terminal it fits the width and
// names the columns it left out; in a pipe it shows every column in full.
#pragma once

#include <string>
#include <vector>

#include "runner/base/text/terminal.h"

namespace runner {

enum class Align { kLeft, kRight };

struct Column {
  std::string header;
  Align align = Align::kLeft;
  int least = 0;  // may be shortened to this many columns; 0 = shown in full or not at all
};

class TextTable {
 public:
  explicit TextTable(std::vector<Column> columns);

  // Adds a row with one cell per column. Cells are UTF-8 and may contain color sequences.
  void add_row(std::vector<std::string> cells);

  // The lines, each with its newline. If the terminal is too narrow, columns with a `least` are
  // shortened, then columns are dropped from the right; a note below names both kinds.
  std::string text(const Terminal& terminal) const;

 private:
  std::vector<Column> columns_;
  std::vector<std::vector<std::string>> rows_;
};

}  // namespace runner
