#include <algorithm>
#include <map>

#include "tests/house/rooms.h"
#include "tests/house/rules.h"

namespace house {
namespace {

// Packages whose headers cost seconds of compile time per including file: toml++ one, CLI11 six.
const Names kCostly = {"tomlplusplus", "CLI11"};

constexpr const char* kRoomRulesTable =
    "move the file or the code that it needs, or change the table in tests/house/rooms.cpp";

bool room_rules_has(const Names& names, const std::string& name) {
  return std::find(names.begin(), names.end(), name) != names.end();
}

bool has_rooms(const SourceFile& file) {
  return room_rules_has({"lcsm", "ets", "results", "runner"}, file.folder());
}

bool is_code_of_room_rules(const SourceFile& file) {
  return room_rules_has({".h", ".cpp", ".cu", ".cuh"}, file.extension());
}

std::string listed(const Names& names) {
  std::string text;
  for (const std::string& name : names) text += (text.empty() ? "" : ", ") + name;
  return text.empty() ? "nothing but the standard library" : text;
}

// The target that compiles a source.
std::map<std::string, std::string> owners_of(const Tree& tree) {
  std::map<std::string, std::string> owners;
  for (const auto& [name, target] : targets_of(tree))
    for (const std::string& source : target.sources)
      if (!target.declared_in.starts_with("tests/")) owners[source] = name;
  return owners;
}

}  // namespace

Findings every_source_is_in_a_room(const Tree& tree) {
  const auto owners = owners_of(tree);
  Findings findings;
  for (const SourceFile& file : tree.files) {
    if (!has_rooms(file) || !is_code_of_room_rules(file)) continue;
    const int room = room_of(file.path);
    if (room < 0) {
      findings.push_back(
          {file.path, 0, "a source in one of the rooms", "it is in none", kRoomRulesTable});
      continue;
    }
    const Room& row = rooms()[static_cast<std::size_t>(room)];
    const auto owner = owners.find(file.path);
    if (owner != owners.end() && !room_rules_has(row.targets, owner->second))
      findings.push_back(
          {file.path, 0, "compiled by " + listed(row.targets), owner->second, kRoomRulesTable});
  }
  return findings;
}

Findings includes_go_down(const Tree& tree) {
  Findings findings;
  for (const SourceFile& file : tree.files) {
    const int room = room_of(file.path);
    if (room < 0 || !is_code_of_room_rules(file)) continue;
    const Room& row = rooms()[static_cast<std::size_t>(room)];
    for (const Include& include : includes_of(file)) {
      const std::string package = include.quoted ? "" : package_of(include.what);
      const int there = include.quoted ? room_of(include.what) : room;
      if (there > room || (there < 0 && include.quoted))
        findings.push_back({file.path, include.line,
                            std::string("includes of ") + row.path + " and of rooms below it",
                            include.what, kRoomRulesTable});
      else if (!package.empty() && !room_rules_has(row.packages, package))
        findings.push_back({file.path, include.line,
                            std::string(row.path) + " includes " + listed(row.packages),
                            include.what + " of " + package, kRoomRulesTable});
    }
  }
  return findings;
}

Findings costly_packages_stay_out_of_headers(const Tree& tree) {
  Findings findings;
  for (const SourceFile& file : tree.files) {
    if (!has_rooms(file) || file.extension() != ".h") continue;
    for (const Include& include : includes_of(file))
      if (const std::string package = package_of(include.what);
          !include.quoted && room_rules_has(kCostly, package))
        findings.push_back({file.path, include.line, "no header that includes " + package,
                            include.what, "declare the names, and include it in the .cpp"});
  }
  return findings;
}

}  // namespace house
