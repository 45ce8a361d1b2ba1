#include "runner/base/cli/shell_words.h"

namespace runner {

ShellLine split_shell_line(std::string_view line) {
  ShellLine result;
  result.words.emplace_back();
  bool inside = false;  // a word has begun, perhaps an empty quoted one
  for (std::size_t i = 0; i < line.size(); ++i) {
    const char c = line[i];
    if (result.open_quote != '\0' && c == result.open_quote) {
      result.open_quote = '\0';
    } else if (c == '\\' && result.open_quote != '\'' && i + 1 < line.size()) {
      result.words.back() += line[++i];
      inside = true;
    } else if (result.open_quote != '\0') {
      result.words.back() += c;
    } else if (c == '\'' || c == '"') {
      result.open_quote = c;
      inside = true;
    } else if (c == ' ' || c == '\t' || c == '\n') {
      if (inside) result.words.emplace_back();
      inside = false;
    } else {
      result.words.back() += c;
      inside = true;
    }
  }
  return result;
}

std::string backslash_quoted(std::string_view word) {
  std::string quoted;
  for (const char c : word) {
    if (std::string_view(" \t\n\\'\"`$&|;<>()*?[]{}!#~^").find(c) != std::string_view::npos)
      quoted += '\\';
    quoted += c;
  }
  return quoted;
}

}  // namespace runner
