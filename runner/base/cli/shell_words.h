// Cuts and quotes a command line as the shells do.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace runner {

struct ShellLine {
  std::vector<std::string> words;  // unquoted; the last is the unfinished one, perhaps empty
  char open_quote = '\0';          // the quote in which the line ends, if any
};

// Blanks, quotes and backslashes as bash reads them; nothing is expanded.
ShellLine split_shell_line(std::string_view line);

// `word`, with a backslash before each character that bash would interpret.
std::string backslash_quoted(std::string_view word);

}  // namespace runner
