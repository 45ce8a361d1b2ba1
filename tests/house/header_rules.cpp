#include <array>
#include <cctype>
#include <map>
#include <set>

#include "lcsm/base/words.h"
#include "tests/house/rules.h"

namespace house {
namespace {

// Names, separated by blanks, whose header one version of a standard library brings with other
// headers and the next does not.
struct StandardHeader {
  std::string_view header, names;
};
constexpr std::array kStandardHeaders = {
    StandardHeader{"algorithm",
                   "all_of any_of binary_search clamp copy copy_n count count_if equal equal_range "
                   "fill fill_n find find_if for_each generate lower_bound max max_element min "
                   "min_element minmax_element mismatch none_of nth_element partial_sort remove_if "
                   "replace reverse rotate sort stable_sort transform unique upper_bound"},
    StandardHeader{"array", "array"},
    StandardHeader{"chrono", "chrono"},
    StandardHeader{"cmath", "ceil cos exp floor isfinite isnan log pow round sin sqrt tanh"},
    StandardHeader{"cstdint", "int8_t int16_t int32_t int64_t uint8_t uint16_t uint32_t uint64_t"},
    StandardHeader{"cstdio", "fprintf printf snprintf"},
    StandardHeader{"cstdlib", "abort exit getenv"},
    StandardHeader{"cstring", "memcmp memcpy memset strerror strlen"},
    StandardHeader{"functional", "function"},
    StandardHeader{"iostream", "cerr cout"},
    StandardHeader{"limits", "numeric_limits"},
    StandardHeader{"map", "map"},
    StandardHeader{"memory", "make_shared make_unique shared_ptr unique_ptr"},
    StandardHeader{"numeric", "accumulate inner_product iota partial_sum"},
    StandardHeader{"optional", "nullopt optional"},
    StandardHeader{"set", "set"},
    StandardHeader{"sstream", "istringstream ostringstream stringstream"},
    StandardHeader{"stdexcept", "invalid_argument logic_error out_of_range runtime_error"},
    StandardHeader{"string", "string to_string"},
    StandardHeader{"string_view", "string_view"},
    StandardHeader{"system_error", "error_code system_error"},
    StandardHeader{"tuple", "tie tuple"},
    StandardHeader{"vector", "vector"},
};

// Adds the headers that a file includes, also those that our headers include for it.
void add_includes(const Tree& tree, const SourceFile& file, std::set<std::string>* all) {
  for (const Include& include : includes_of(file)) {
    if (!all->insert(include.what).second || !include.quoted) continue;
    if (const SourceFile* ours = tree.find(include.what)) add_includes(tree, *ours, all);
  }
}

// The names after "std::" of a line, without its comment.
std::vector<std::string> standard_names(std::string_view line) {
  std::vector<std::string> names;
  line = line.substr(0, line.find("//"));
  for (std::size_t at = line.find("std::"); at != line.npos; at = line.find("std::")) {
    line.remove_prefix(at + 5);
    if (line.starts_with("ranges::")) line.remove_prefix(8);
    std::size_t end = 0;
    while (end < line.size() && (std::isalnum(line[end]) != 0 || line[end] == '_')) ++end;
    names.emplace_back(line.substr(0, end));
  }
  return names;
}

}  // namespace

Findings standard_headers_are_included(const Tree& tree) {
  std::map<std::string, std::string> headers;  // by name
  for (const auto& [header, names] : kStandardHeaders)
    for (const std::string& name : lcsm::words_of(names)) headers[name] = header;
  Findings findings;
  for (const SourceFile& file : tree.files) {
    if (file.extension() != ".h" && file.extension() != ".cpp") continue;
    std::set<std::string> included;
    add_includes(tree, file, &included);
    int number = 0;
    for (const std::string_view line : file.lines()) {
      ++number;
      for (const std::string& name : standard_names(line))
        if (const auto row = headers.find(name);
            row != headers.end() && included.insert(row->second).second)
          findings.push_back({file.path, number, "<" + row->second + ">, for std::" + name,
                              "no include of it", "include it, here or in a header of ours"});
    }
  }
  return findings;
}

}  // namespace house
