#include "runner/base/files/source_error.h"

#include <algorithm>

#include "lcsm/base/words.h"

namespace runner {
namespace {

std::string_view line_of(std::string_view text, std::size_t line) {
  for (std::size_t n = 1; n < line; ++n) {
    const std::size_t end = text.find('\n');
    if (end == std::string_view::npos) return "";
    text.remove_prefix(end + 1);
  }
  return text.substr(0, std::min(text.find('\n'), text.find('\r')));
}

// Control characters would misplace the caret or move the terminal's cursor.
std::string printable(std::string_view text) {
  std::string result(text.substr(0, 200));
  for (char& c : result)
    if (static_cast<unsigned char>(c) < 0x20 || c == 0x7f) c = ' ';
  return result;
}

std::string describe_all(const std::string& path, std::string_view text,
                         const std::vector<SourceError>& errors) {
  return lcsm::joined_of(
      errors, [&](const SourceError& error) { return describe(path, text, error); }, "\n");
}

}  // namespace

std::string describe(const std::string& path, std::string_view text, const SourceError& error) {
  std::string result = path + ":" + std::to_string(error.line) + ":" +
                       std::to_string(error.column) + ": " + error.what;
  const std::string line = printable(line_of(text, error.line));
  const auto characters = static_cast<std::size_t>(
      std::count_if(line.begin(), line.end(), [](char c) { return (c & 0xc0) != 0x80; }));
  if (line.empty() || error.column == 0 || error.column > characters + 1) return result;
  return result + "\n  " + line + "\n  " + std::string(error.column - 1, ' ') + "^";
}

SourceErrors::SourceErrors(const std::string& path, std::string_view text,
                           std::vector<SourceError> errors)
    : std::invalid_argument(describe_all(path, text, errors)), errors_(std::move(errors)) {}

}  // namespace runner
