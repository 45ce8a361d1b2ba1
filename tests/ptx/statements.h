// Cuts PTX text into statements.
#pragma once

#include <string>
#include <vector>

namespace ptx {

enum class Cut { kStatement, kLabel, kOpen, kClose };

struct Statement {
  Cut cut = Cut::kStatement;
  std::string text;  // of an opening brace: what precedes it, .entry and its parameters
  int line = 0;
};

std::vector<Statement> statements_of(const std::string& text);

std::string trimmed(const std::string& text);
// Parts between separators outside of brackets, trimmed.
std::vector<std::string> split(const std::string& text, char separator);

}  // namespace ptx
