#include <algorithm>
#include <map>
#include <set>

#include "tests/house/rules.h"

namespace house {
namespace {

constexpr int kFiles = 40, kLines = 300, kKernelLines = 400, kFunctionLines = 100;

bool is_cpp(const SourceFile& file) {
  static const std::set<std::string> kEnds = {".h", ".cpp", ".cu", ".cuh"};
  return kEnds.contains(file.extension());
}

// Programs and build scripts, which have a limit of lines. Prose and data have none.
bool is_code(const SourceFile& file) {
  static const std::set<std::string> kEnds = {".cmake", ".sh", ".py"};
  return is_cpp(file) || kEnds.contains(file.extension()) || file.text.starts_with("#!") ||
         file.path.ends_with("CMakeLists.txt");
}

// The text with comments, strings and characters replaced by blanks, line ends kept.
std::string without_words(const std::string& text) {
  std::string code = text;
  const auto blank = [&code](std::size_t from, std::size_t to) {
    for (std::size_t i = from; i < std::min(to, code.size()); ++i)
      if (code[i] != '\n') code[i] = ' ';
    return std::min(to, code.size());
  };
  const auto end_of = [&text](const std::string& mark, std::size_t from) {
    const std::size_t at = text.find(mark, from);
    return at == std::string::npos ? text.size() : at + mark.size();
  };
  for (std::size_t i = 0; i < text.size();) {
    if (text.compare(i, 2, "//") == 0) {
      i = blank(i, std::min(text.find('\n', i), text.size()));
    } else if (text.compare(i, 2, "/*") == 0) {
      i = blank(i, end_of("*/", i + 2));
    } else if (text.compare(i, 2, "R\"") == 0) {
      const std::size_t open = std::min(text.find('(', i), text.size());
      i = blank(i, end_of(")" + text.substr(i + 2, open - i - 2) + "\"", open));
    } else if (text[i] == '"' || (text[i] == '\'' && (i == 0 || !isalnum(text[i - 1])))) {
      std::size_t end = i + 1;
      while (end < text.size() && text[end] != text[i]) end += text[end] == '\\' ? 2 : 1;
      i = blank(i, end + 1);
    } else {
      ++i;
    }
  }
  return code;
}

std::string trimmed(const std::string& text) {
  const std::size_t first = text.find_first_not_of(" \n");
  if (first == std::string::npos) return "";
  return text.substr(first, text.find_last_not_of(" \n") - first + 1);
}

// The text after "template <...>", if it starts with that.
std::string without_template(const std::string& head) {
  if (!head.starts_with("template <")) return head;
  int depth = 0;
  for (std::size_t i = 9; i < head.size(); ++i) {
    depth += (head[i] == '<') - (head[i] == '>');
    if (depth == 0) return trimmed(head.substr(i + 1));
  }
  return head;
}

// True if the words before a brace open a function, not a type, a namespace or a list. In our
// format a body's brace follows a blank, the brace of `member_{value}` does not.
bool opens_function(const std::string& before) {
  if (!before.ends_with(' ') && !before.ends_with('\n')) return false;
  const std::string head = without_template(trimmed(before));
  for (const char* other : {"namespace", "class ", "struct ", "enum ", "union "})
    if (head.starts_with(other)) return false;
  const std::size_t open = head.find('(');
  return open != std::string::npos && head.find(" = ") > open;
}

}  // namespace

std::vector<Function> functions_of(const SourceFile& file) {
  const std::string code = without_words(file.text);
  std::vector<Function> found;
  std::string head;
  std::vector<char> outer;  // the open braces: 'f' of a function, 'v' of a value, 'o' another
  int line = 1, inside = 0;
  for (const char c : code) {
    if (c == '{') {
      const bool function = inside == 0 && opens_function(head);
      const bool value = !head.empty() && (isalnum(head.back()) || head.back() == '_');
      if (function) found.push_back({file.path, trimmed(head), line, 0});
      inside += function;
      outer.push_back(function ? 'f' : value ? 'v' : 'o');
      if (!value) head.clear();
    } else if (c == '}' && !outer.empty()) {
      if (outer.back() == 'f') {
        found.back().length = std::max(0, line - found.back().line - 1);
        --inside;
      }
      if (outer.back() != 'v') head.clear();
      outer.pop_back();
    } else if (c == ';') {
      head.clear();
    } else {
      head += c;
    }
    if (c == '\n') ++line;
  }
  return found;
}

Findings size_notes(const Tree& tree) {
  Findings notes;
  std::map<std::string, int> files;
  for (const SourceFile& file : tree.files) {
    ++files[file.path.substr(0, file.path.find_last_of('/') + 1)];
    const int lines = static_cast<int>(file.lines().size());
    const int limit = file.extension() == ".cu" ? kKernelLines : kLines;
    if (is_code(file) && lines > limit)
      notes.push_back({file.path, 0, "about " + std::to_string(limit) + " lines",
                       std::to_string(lines), "does it have one subject?"});
    if (!is_cpp(file)) continue;
    for (const Function& function : functions_of(file))
      if (function.length > kFunctionLines)
        notes.push_back({function.path, function.line,
                         "about " + std::to_string(kFunctionLines) + " lines",
                         std::to_string(function.length) + " in " + function.head,
                         "are there steps with names?"});
  }
  for (const auto& [folder, count] : files)
    if (count > kFiles)
      notes.push_back({folder, 0, "about " + std::to_string(kFiles) + " files",
                       std::to_string(count), "does it have one subject?"});
  return notes;
}

}  // namespace house
