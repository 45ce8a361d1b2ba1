#include "tests/ptx/statements.h"

#include <algorithm>
#include <cctype>
#include <cstring>
#include <string_view>

namespace ptx {
namespace {

// Comments become blanks; lines stay.
std::string without_comments(const std::string& text) {
  std::string clean = text;
  const auto blank = [&](std::size_t from, std::size_t to) {
    for (std::size_t i = from; i < to && i < clean.size(); ++i)
      if (clean[i] != '\n') clean[i] = ' ';
    return to;
  };
  for (std::size_t i = 0; i + 1 < text.size(); ++i) {
    if (text.compare(i, 2, "//") == 0) i = blank(i, std::min(text.find('\n', i), text.size())) - 1;
    if (text.compare(i, 2, "/*") == 0)
      i = blank(i, std::min(text.find("*/", i), text.size() - 2) + 2) - 1;
  }
  return clean;
}

// Without a copy, which for each character of a long section would take most of the time.
std::string_view head_of(std::string_view text) {
  return text.substr(std::min(text.find_first_not_of(" \t\r\n"), text.size()));
}

bool ends_with_its_line(std::string_view text) {
  for (const char* word : {".version", ".target", ".address_size", ".file", ".loc"})
    if (text.starts_with(word) &&
        (text.size() == std::strlen(word) || !isalpha(text[std::strlen(word)])))
      return true;
  return false;
}

// An opening brace after one of these opens a scope; others are operands and initial values.
bool opens_scope(const std::string& text) {
  if (text.empty()) return true;
  for (const char* word : {".entry", ".func", ".section"})
    if (text.find(word) != std::string::npos) return true;
  return false;
}

class Cutter {
 public:
  explicit Cutter(const std::string& text) : text_(without_comments(text)) {}

  std::vector<Statement> run() {
    for (; i_ < text_.size(); ++i_) take(text_[i_]);
    return std::move(cuts_);
  }

 private:
  void take(char c) {
    if (c == '\n') {
      if (ends_with_its_line(head_of(now_))) end(Cut::kStatement);
      ++line_;
    }
    if (head_of(now_).empty() && !isspace(static_cast<unsigned char>(c))) begin_ = line_;
    if (depth_ > 0 || c == '(' || c == ')') {
      depth_ += c == '{' || c == '(' ? 1 : c == '}' || c == ')' ? -1 : 0;
      now_ += c;
    } else if (c == '{' && opens_scope(trimmed(now_))) {
      end(Cut::kOpen);
    } else if (c == '{') {
      ++depth_;
      now_ += c;
    } else if (c == '}') {
      now_.clear();  // what has no semicolon inside .section
      end(Cut::kClose);
    } else if (c == ';') {
      end(Cut::kStatement);
    } else if (c == ':' && is_label()) {
      end(Cut::kLabel);
    } else {
      now_ += c;
    }
  }

  // Not the colons of .L2::128B, which follow an opcode.
  bool is_label() const {
    const bool doubled = text_[i_ - 1] == ':' || (i_ + 1 < text_.size() && text_[i_ + 1] == ':');
    const std::string head = trimmed(now_);
    return !doubled && !head.empty() && head.find_first_of(" \t\n") == std::string::npos;
  }

  void end(Cut cut) {
    std::string text;
    for (const char c : trimmed(now_)) {
      const bool space = isspace(static_cast<unsigned char>(c)) != 0;
      if (!space || text.back() != ' ') text += space ? ' ' : c;
    }
    if (!text.empty() || cut != Cut::kStatement) cuts_.push_back({cut, text, begin_});
    now_.clear();
  }

  std::string text_, now_;
  std::size_t i_ = 0;
  int line_ = 1, begin_ = 1, depth_ = 0;
  std::vector<Statement> cuts_;
};

}  // namespace

std::vector<Statement> statements_of(const std::string& text) { return Cutter(text).run(); }

std::string trimmed(const std::string& text) {
  const std::size_t first = text.find_first_not_of(" \t\r\n");
  if (first == std::string::npos) return "";
  return text.substr(first, text.find_last_not_of(" \t\r\n") - first + 1);
}

std::vector<std::string> split(const std::string& text, char separator) {
  std::vector<std::string> parts;
  std::string part;
  int depth = 0;
  for (const char c : text) {
    if (std::strchr("[{(", c) != nullptr) ++depth;
    if (std::strchr("]})", c) != nullptr) --depth;
    if (c == separator && depth == 0) {
      parts.push_back(trimmed(part));
      part.clear();
    } else {
      part += c;
    }
  }
  if (!trimmed(part).empty()) parts.push_back(trimmed(part));
  return parts;
}

}  // namespace ptx
