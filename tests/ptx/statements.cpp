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
  for (std::size_t i = text.find('/'); i < text.size(); i = text.find('/', i)) {
    std::size_t end = i + 1;
    if (text.compare(i, 2, "//") == 0) end = std::min(text.find('\n', i), text.size());
    if (text.compare(i, 2, "/*") == 0) end = std::min(text.find("*/", i), text.size() - 2) + 2;
    for (const bool comment = end > i + 1; i < end; ++i)
      if (comment && clean[i] != '\n') clean[i] = ' ';
  }
  return clean;
}

bool is_space(char c) { return c == ' ' || c == '\t' || c == '\r' || c == '\n'; }

std::string_view without_ends(std::string_view text) {
  while (!text.empty() && is_space(text.front())) text.remove_prefix(1);
  while (!text.empty() && is_space(text.back())) text.remove_suffix(1);
  return text;
}

bool ends_with_its_line(std::string_view text) {
  for (const char* word : {".version", ".target", ".address_size", ".file", ".loc"})
    if (text.starts_with(word) &&
        (text.size() == std::strlen(word) || !isalpha(text[std::strlen(word)])))
      return true;
  return false;
}

// An opening brace after one of these opens a scope; others are operands and initial values.
bool opens_scope(std::string_view text) {
  if (text.empty()) return true;
  for (const char* word : {".entry", ".func", ".section"})
    if (text.find(word) != text.npos) return true;
  return false;
}

class Cutter {
 public:
  explicit Cutter(const std::string& text) : text_(without_comments(text)) {}

  std::vector<Statement> run() {
    for (; at_ < text_.size(); ++at_) take(text_[at_]);
    return std::move(cuts_);
  }

 private:
  // The part of the current statement that was read.
  std::string_view now() const {
    return without_ends(std::string_view(text_).substr(from_, at_ - from_));
  }

  void take(char c) {
    if (blank_ && !is_space(c)) {
      blank_ = false;
      begin_ = line_;
    }
    if (c == '\n') {
      if (ends_with_its_line(now())) end(Cut::kStatement);
      ++line_;
    } else if (depth_ > 0 || c == '(' || c == ')') {
      depth_ += c == '{' || c == '(' ? 1 : c == '}' || c == ')' ? -1 : 0;
    } else if (c == '{') {
      if (opens_scope(now()))
        end(Cut::kOpen);
      else
        ++depth_;
    } else if (c == '}') {
      from_ = at_;  // text without semicolons inside .section
      end(Cut::kClose);
    } else if (c == ';') {
      end(Cut::kStatement);
    } else if (c == ':' && is_label()) {
      end(Cut::kLabel);
    }
  }

  // The colons of .L2::128B, which follow an opcode, make no label.
  bool is_label() const {
    const bool doubled = text_[at_ - 1] == ':' || (at_ + 1 < text_.size() && text_[at_ + 1] == ':');
    const std::string_view head = now();
    return !doubled && !head.empty() && head.find_first_of(" \t\n") == head.npos;
  }

  void end(Cut cut) {
    std::string text;
    for (const char c : now())
      if (!is_space(c))
        text += c;
      else if (text.back() != ' ')
        text += ' ';
    if (!text.empty() || cut != Cut::kStatement) cuts_.push_back({cut, std::move(text), begin_});
    from_ = at_ + 1;
    blank_ = true;
  }

  const std::string text_;
  std::size_t at_ = 0, from_ = 0;  // the next character, the first of the statement at hand
  int line_ = 1, begin_ = 1, depth_ = 0;
  bool blank_ = true;
  std::vector<Statement> cuts_;
};

}  // namespace

std::vector<Statement> statements_of(const std::string& text) { return Cutter(text).run(); }

std::string trimmed(const std::string& text) { return std::string(without_ends(text)); }

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
