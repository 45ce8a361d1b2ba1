#include "results/text/escape.h"

#include "results/text/number_text.h"

namespace results {
namespace {

// Makes the text safe, then replaces each character by what `one` returns; null leaves it
// unchanged.
template <class One>
std::string replaced(std::string_view text, const One& one) {
  std::string out;
  for (const char c : safe_text(text)) {
    const char* other = one(c);
    if (other != nullptr)
      out += other;
    else
      out += c;
  }
  return out;
}

}  // namespace

std::string csv_field(std::string_view text) {
  std::string plain = safe_text(text);
  if (!plain.empty() && std::string_view("=+-@").find(plain[0]) != std::string_view::npos &&
      !number_in(plain))
    plain.insert(0, 1, '\'');
  if (plain.find_first_of(",\"") == std::string::npos) return plain;
  std::string out = "\"";
  for (const char c : plain) out.append(c == '"' ? 2 : 1, c);
  return out + "\"";
}

std::string markdown_text(std::string_view text) {
  return replaced(text, [](char c) -> const char* {
    switch (c) {
      case '|':
        return "\\|";
      case '*':
        return "\\*";
      case '_':
        return "\\_";
      case '`':
        return "\\`";
      case '[':
        return "\\[";
      case ']':
        return "\\]";
      case '\\':
        return "\\\\";
      case '<':
        return "&lt;";
      case '>':
        return "&gt;";
      case '&':
        return "&amp;";
      default:
        return nullptr;
    }
  });
}

std::string tex_text(std::string_view text) {
  return replaced(text, [](char c) -> const char* {
    switch (c) {
      case '\\':
        return "\\textbackslash{}";
      case '{':
        return "\\{";
      case '}':
        return "\\}";
      case '$':
        return "\\$";
      case '&':
        return "\\&";
      case '#':
        return "\\#";
      case '%':
        return "\\%";
      case '_':
        return "\\_";
      case '^':
        return "\\textasciicircum{}";
      case '~':
        return "\\textasciitilde{}";
      case '<':
        return "\\textless{}";
      case '>':
        return "\\textgreater{}";
      case '"':
        return "\\textquotedbl{}";
      default:
        return nullptr;
    }
  });
}

std::string html_text(std::string_view text) {
  return replaced(text, [](char c) -> const char* {
    switch (c) {
      case '&':
        return "&amp;";
      case '<':
        return "&lt;";
      case '>':
        return "&gt;";
      case '"':
        return "&quot;";
      case '\'':
        return "&#39;";
      default:
        return nullptr;
    }
  });
}

}  // namespace results
