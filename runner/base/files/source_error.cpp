#include "runner/base/files/source_error.h"

#include <algorithm>

#include "lcsm/base/words.h"

namespace runner {
namespace {

// Control characters would misplace the caret or move the terminal's cursor.
std::string printable(std::string_view text) {
  std::string result(text.substr(0, 200));
  for (char& c : result)
    if (static_cast<unsigned char>(c) < 0x20 || c == 0x7f) c = ' ';
  return result;
}

std::string describe_all(const std::string& path, std::string_view text,
                         const std::vector<SourceError>& errors) {
  const SourceLines lines(text);
  return lcsm::joined_of(
      errors,
      [&](const SourceError& error) { return describe(path, lines.line(error.line), error); },
      "\n");
}

}  // namespace

SourceLines::SourceLines(std::string_view text) {
  while (!text.empty()) {
    std::string_view line = lcsm::take_until(&text, '\n');
    lines_.push_back(line.substr(0, line.find('\r')));
  }
}

std::string_view SourceLines::line(std::size_t number) const {
  return number >= 1 && number <= lines_.size() ? lines_[number - 1] : "";
}

std::string describe(const std::string& path, std::string_view source, const SourceError& error) {
  std::string result = path + ":" + std::to_string(error.line) + ":" +
                       std::to_string(error.column) + ": " + error.what;
  const std::string line = printable(source);
  const auto characters = static_cast<std::size_t>(
      std::count_if(line.begin(), line.end(), [](char c) { return (c & 0xc0) != 0x80; }));
  if (line.empty() || error.column == 0 || error.column > characters + 1) return result;
  return result + "\n  " + line + "\n  " + std::string(error.column - 1, ' ') + "^";
}

SourceErrors::SourceErrors(const std::string& path, std::string_view text,
                           std::vector<SourceError> errors)
    : std::invalid_argument(describe_all(path, text, errors)), errors_(std::move(errors)) {}

}  // namespace runner
