#include <algorithm>
#include <array>
#include <filesystem>
#include <map>
#include <set>

#include "tests/house/rooms.h"
#include "tests/house/rules.h"

namespace house {
namespace {

constexpr std::array kTopLevel = {
    "CMakeLists.txt", "CMakePresets.json", "bootstrap", "README.md", "lcsm", "ets", "runner",
    "sweeps",         "results",           "tests",     "LICENSE",
};

bool ends_with_one_of(const std::string& path, std::initializer_list<const char*> ends) {
  return std::any_of(ends.begin(), ends.end(),
                     [&](const char* end) { return path.ends_with(end); });
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

Findings every_room_has_tests(const Tree& tree) {
  std::set<std::string> with_sources, with_tests;
  for (const SourceFile& file : tree.files) {
    const std::string folder = file.path.substr(0, file.path.find_last_of('/') + 1);
    if (file.path.ends_with("_test.cpp") || file.path.ends_with("_test.py"))
      with_tests.insert(folder);
    else if (file.extension() == ".cpp" && room_of(file.path) >= 0)
      with_sources.insert(folder);
  }
  Findings findings;
  for (const std::string& folder : with_sources)
    if (!folder.starts_with("tests/") && !with_tests.contains("tests/" + folder))
      findings.push_back({folder, 0, "tests in tests/" + folder, "none", "write one"});
  return findings;
}

Findings size_notes(const Tree& tree) {
  Findings notes;
  std::map<std::string, int> files;
  for (const SourceFile& file : tree.files) {
    ++files[file.path.substr(0, file.path.find_last_of('/') + 1)];
    const bool code = ends_with_one_of(
        file.path, {".h", ".cpp", ".cu", ".cuh", ".cmake", ".sh", ".py", "CMakeLists.txt"});
    const std::size_t lines = file.lines().size();
    if ((code || file.text.starts_with("#!")) && lines > 300)
      notes.push_back(
          {file.path, 0, "about 300 lines", std::to_string(lines), "does it do one thing?"});
  }
  for (const auto& [folder, count] : files)
    if (count > 40)
      notes.push_back({folder, 0, "about 40 files", std::to_string(count), "is it one room?"});
  return notes;
}

}  // namespace house
