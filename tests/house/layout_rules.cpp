#include <algorithm>
#include <array>
#include <filesystem>
#include <set>

#include "tests/house/rules.h"
#include "tests/house/untested.h"

namespace house {
namespace {

constexpr std::array kTopLevel = {
    "CMakeLists.txt", "CMakePresets.json", "bootstrap", "README.md", "lcsm", "ets", "runner",
    "sweeps",         "results",           "tests",
};

// Folders whose sources each have a test file of the same name.
constexpr std::array kTested = {"lcsm", "ets", "runner", "results"};

bool ends_with_one_of(const std::string& path, std::initializer_list<const char*> ends) {
  return std::any_of(ends.begin(), ends.end(),
                     [&](const char* end) { return path.ends_with(end); });
}

std::string stem_of(const std::string& path) { return path.substr(0, path.rfind('.')); }

bool has_own_test(const Tree& tree, const std::string& stem) {
  return tree.find("tests/" + stem + "_test.cpp") != nullptr;
}

// tests/lcsm/code/code_test.cpp tests code.cpp and what continues it, code_pattern.cpp; a name
// that begins like that of a test without a source continues nothing.
bool has_test(const Tree& tree, const std::string& path) {
  std::string stem = stem_of(path);
  if (has_own_test(tree, stem)) return true;
  for (std::size_t cut; (cut = stem.rfind('_')) != std::string::npos && cut > stem.rfind('/');) {
    stem.resize(cut);
    const bool there = tree.find(stem + ".cpp") != nullptr || tree.find(stem + ".h") != nullptr;
    if (there && has_own_test(tree, stem)) return true;
  }
  return false;
}

}  // namespace

Findings top_level_is_the_design(const Tree& tree) {
  Findings findings;
  std::set<std::string> seen;
  for (const SourceFile& file : tree.files) {
    const std::string name = file.path.substr(0, file.path.find('/'));
    if (name.starts_with('.') || !seen.insert(name).second) continue;
    if (std::find(kTopLevel.begin(), kTopLevel.end(), name) == kTopLevel.end())
      findings.push_back({name, 0, "only the folders and files of the design at the top level",
                          "'" + name + "'", "move it into the folder that it belongs to"});
  }
  return findings;
}

Findings every_top_folder_has_a_readme(const Tree& tree) {
  Findings findings;
  std::set<std::string> folders = {""};
  for (const SourceFile& file : tree.files)
    if (!file.path.starts_with('.')) folders.insert(file.folder());
  for (const std::string& folder : folders) {
    const std::string path = (folder.empty() ? "" : folder + "/") + "README.md";
    if (tree.find(path) == nullptr)
      findings.push_back({path, 0, "a README.md in every top folder", "none",
                          "begin with the table of its rooms"});
  }
  return findings;
}

Findings every_source_is_listed(const Tree& tree) {
  std::set<std::string> listed;
  for (const auto& [name, target] : targets_of(tree))
    listed.insert(target.sources.begin(), target.sources.end());
  std::set<std::string> included;
  for (const SourceFile& file : tree.files)
    for (const Include& include : includes_of(file)) included.insert(include.what);
  Findings findings;
  for (const SourceFile& file : tree.files) {
    if (ends_with_one_of(file.path, {".cpp", ".cu"}) && !listed.contains(file.path))
      findings.push_back({file.path, 0, "every source in the list of a CMakeLists.txt",
                          "it is in none", "add it to its target, or delete it"});
    if (ends_with_one_of(file.path, {".h", ".cuh"}) && !included.contains(file.path))
      findings.push_back({file.path, 0, "every header included from the root",
                          "no file includes it",
                          "include it as \"" + file.path + "\", or delete it"});
  }
  return findings;
}

Findings every_source_has_a_test(const Tree& tree) {
  Findings findings;
  for (const SourceFile& file : tree.files) {
    const bool tested = std::find(kTested.begin(), kTested.end(), file.folder()) != kTested.end();
    const bool excused = std::any_of(kUntested.begin(), kUntested.end(),
                                     [&](const Untested& row) { return file.path == row.path; });
    if (!tested || excused || file.extension() != ".cpp" || has_test(tree, file.path)) continue;
    const std::string test = "tests/" + file.path.substr(0, file.path.size() - 4) + "_test.cpp";
    findings.push_back({file.path, 0, "a test " + test, "none",
                        "write it, or give the reason in kUntested of tests/house/untested.h"});
  }
  return findings;
}

Findings every_excuse_is_true(const Tree& tree) {
  constexpr const char* kAdvice = "delete the row in tests/house/untested.h";
  Findings findings;
  for (const Untested& row : kUntested) {
    if (tree.find(row.path) == nullptr)
      findings.push_back({row.path, 0, "a source for its row in kUntested", "none", kAdvice});
    else if (has_own_test(tree, stem_of(row.path)))
      findings.push_back({row.path, 0, "no row in kUntested", "a row beside a test", kAdvice});
  }
  return findings;
}

}  // namespace house
