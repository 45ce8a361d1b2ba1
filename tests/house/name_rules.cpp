#include <map>
#include <regex>

#include "tests/house/rules.h"

namespace house {
namespace {

// A definition at the start of a line, outside anonymous namespaces, and no specialization.
struct Definition {
  std::string name;  // "runner::Point"
  int line = 0;
};

std::vector<Definition> types_of(const SourceFile& file) {
  static const std::regex kNamespace(R"(namespace ([\w:]+) \{.*)"),
      kType(R"((?:struct|class|enum class) ([\w:]+)\b(?!<)[^;]*\{.*)");
  std::vector<Definition> found;
  std::string space;
  bool hidden = false;
  int line = 0;
  for (const std::string_view text : file.lines()) {
    ++line;
    std::cmatch match;
    const auto is = [&](const std::regex& form) {
      return std::regex_match(text.data(), text.data() + text.size(), match, form);
    };
    if (text == "namespace {") hidden = true;
    if (text == "}  // namespace") hidden = false;
    if (is(kNamespace))
      space = match[1];
    else if (!hidden && is(kType))
      found.push_back({space + "::" + match[1].str(), line});
  }
  return found;
}

}  // namespace

// Two types with one name in one namespace break programs that link both, without a compiler error.
// Files of vector code are compiled once per processor.
Findings types_are_defined_once(const Tree& tree) {
  std::map<std::string, std::string> known;
  Findings findings;
  for (const SourceFile& file : tree.files) {
    const std::string end = file.extension();
    if ((end != ".h" && end != ".cpp") || file.path.ends_with("-inl.h")) continue;
    for (const Definition& type : types_of(file)) {
      const auto [first, added] = known.emplace(type.name, file.path);
      if (!added)
        findings.push_back({file.path, type.line, "a name of its own",
                            type.name + ", which " + first->second + " defines too",
                            "rename one of them"});
    }
  }
  return findings;
}

}  // namespace house
