#include "runner/base/text/wrap.h"

#include <sstream>

#include "runner/base/text/display_width.h"

namespace runner {

void wrap_onto(std::string& page, const std::string& text, int indent, int width,
               LongWords long_words) {
  std::istringstream words(text);
  int column = indent;
  bool first = true;
  const auto new_line = [&] {
    page += "\n" + std::string(static_cast<std::size_t>(indent), ' ');
    column = indent;
  };
  for (std::string word; words >> word; first = false) {
    if (!first && column + 1 + display_width(word) > width) {
      new_line();
    } else if (!first) {
      page += ' ';
      ++column;
    }
    while (long_words == LongWords::kCut && column + display_width(word) > width) {
      const std::size_t fits = bytes_within(word, width - column);
      if (fits == 0) break;
      page.append(word, 0, fits);
      word.erase(0, fits);
      new_line();
    }
    page += word;
    column += display_width(word);
  }
  page += '\n';
}

}  // namespace runner
