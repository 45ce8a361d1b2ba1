// A table for people: aligned columns, two blanks between them. On a terminal it fits the width
// and says what it left out; in a pipe every column is there in full.
#pragma once

#include <string>
#include <vector>

#include "runner/text/terminal.h"

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

  // As many cells as columns; UTF-8, may hold colour sequences.
  void add_row(std::vector<std::string> cells);

  // The lines, each ended by a newline. On a terminal too narrow, columns with a `least` are
  // shortened, then columns are left out from the right, and a last line names both.
  std::string text(const Terminal& terminal) const;

 private:
  std::vector<Column> columns_;
  std::vector<std::vector<std::string>> rows_;
};

}  // namespace runner
