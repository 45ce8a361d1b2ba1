// What stdout and stderr can display. A pipe or a file gets plain text of any width.
#pragma once

#include <functional>
#include <string>
#include <string_view>

namespace runner {

struct Terminal {
  bool tty = false;
  bool colour = false;   // a tty, no NO_COLOR, TERM neither empty nor "dumb"
  bool unicode = false;  // a tty whose locale is UTF-8
  int width = 0;         // columns; 0 = no limit
  int height = 0;        // rows; 0 = no limit

  const char* ellipsis() const { return unicode ? "…" : "..."; }
};

const Terminal& out_terminal();  // stdout
const Terminal& err_terminal();  // stderr

// The rule for both. `columns`: the width that the tty reports, 0 if unknown.
using Environment = std::function<const char*(const char* name)>;
Terminal describe_terminal(bool tty, int columns, const Environment& environment);

enum class Style { kBold, kDim, kGood, kWarn, kBad };

// `text` in that style, unchanged without color.
std::string styled(const Terminal& terminal, Style style, std::string_view text);

}  // namespace runner
