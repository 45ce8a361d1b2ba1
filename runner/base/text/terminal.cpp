#include "runner/base/text/terminal.h"

#include <sys/ioctl.h>
#include <unistd.h>

#include <cstdlib>

#include "lcsm/base/words.h"

namespace runner {
namespace {

std::string value_of(const Environment& environment, const char* name) {
  const char* value = environment(name);
  return value == nullptr ? "" : value;
}

// POSIX: the first of the three that is set and not empty wins.
bool utf8_locale(const Environment& environment) {
  for (const char* name : {"LC_ALL", "LC_CTYPE", "LANG"}) {
    const std::string locale = lcsm::lower_case(value_of(environment, name));
    if (locale.empty()) continue;
    return locale.find("utf-8") != std::string::npos || locale.find("utf8") != std::string::npos;
  }
  return false;
}

int width_of(int columns, const Environment& environment) {
  if (columns > 0) return columns;
  const int variable = std::atoi(value_of(environment, "COLUMNS").c_str());
  return variable > 0 ? variable : 80;
}

Terminal terminal_of(int descriptor) {
  const bool tty = isatty(descriptor) == 1;
  winsize size{};
  const bool known = tty && ioctl(descriptor, TIOCGWINSZ, &size) == 0;
  Terminal terminal =
      describe_terminal(tty, known ? size.ws_col : 0, [](const char* n) { return getenv(n); });
  terminal.height = known ? size.ws_row : 0;
  return terminal;
}

}  // namespace

Terminal describe_terminal(bool tty, int columns, const Environment& environment) {
  if (!tty) return {};
  const std::string term = value_of(environment, "TERM");
  const bool no_colour = !value_of(environment, "NO_COLOR").empty();
  return {.tty = true,
          .colour = !no_colour && !term.empty() && term != "dumb",
          .unicode = utf8_locale(environment),
          .width = width_of(columns, environment)};
}

const Terminal& out_terminal() {
  static const Terminal terminal = terminal_of(STDOUT_FILENO);
  return terminal;
}

const Terminal& err_terminal() {
  static const Terminal terminal = terminal_of(STDERR_FILENO);
  return terminal;
}

std::string styled(const Terminal& terminal, Style style, std::string_view text) {
  if (!terminal.colour || text.empty()) return std::string(text);
  constexpr std::string_view kCodes[] = {"1", "2", "32", "33", "31"};
  std::string result = "\033[";
  result += kCodes[static_cast<int>(style)];
  return result.append("m").append(text).append("\033[0m");
}

}  // namespace runner
