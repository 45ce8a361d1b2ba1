#include "runner/text/wrap.h"

#include <sstream>

#include "runner/text/display_width.h"

namespace runner {

void wrap_onto(std::string& page, const std::string& text, int indent, int width) {
  std::istringstream words(text);
  int column = indent;
  bool first = true;
  for (std::string word; words >> word; first = false) {
    const int room = display_width(word);
    if (!first && column + 1 + room > width) {
      page += "\n" + std::string(static_cast<std::size_t>(indent), ' ');
      column = indent;
    } else if (!first) {
      page += ' ';
      ++column;
    }
    page += word;
    column += room;
  }
  page += '\n';
}

}  // namespace runner
