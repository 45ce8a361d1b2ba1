#include <algorithm>
#include <map>
#include <set>

#include "tests/house/rooms.h"
#include "tests/house/rules.h"

namespace house {
namespace {

// Every target may link these.
const Names kCommon = {"lcsm_flags", "lcsm_revision", "lcsm_source_diff", "Threads::Threads",
                       "${CMAKE_DL_LIBS}"};

bool has(const Names& names, const std::string& name) {
  return std::find(names.begin(), names.end(), name) != names.end();
}

using Targets = std::map<std::string, Target>;

// The lowest of the rooms that a target compiles; -1 when it compiles none.
int ground_of(const std::string& target) {
  for (std::size_t i = 0; i < rooms().size(); ++i)
    if (has(rooms()[i].targets, target)) return static_cast<int>(i);
  return -1;
}

// The highest room that a target compiles.
int floor_of(const std::string& target) {
  int floor = -1;
  for (std::size_t i = 0; i < rooms().size(); ++i)
    if (has(rooms()[i].targets, target)) floor = static_cast<int>(i);
  return floor;
}

// A target and all our targets that it links, directly or not.
Names with_its_links(const Targets& targets, const std::string& target) {
  Names all = {target};
  for (std::size_t i = 0; i < all.size(); ++i)
    if (const auto found = targets.find(all[i]); found != targets.end())
      for (const std::string& link : found->second.links)
        if (!has(all, link)) all.push_back(link);
  return all;
}

// The packages that the rooms of these targets may include.
Names packages_of(const Names& targets) {
  Names packages;
  for (const Room& room : rooms())
    for (const std::string& target : room.targets)
      if (has(targets, target))
        packages.insert(packages.end(), room.packages.begin(), room.packages.end());
  return packages;
}

bool package_allowed(const Names& packages, const std::string& name) {
  return std::any_of(packages.begin(), packages.end(),
                     [&](const std::string& package) { return name.starts_with(package); });
}

bool of_tests(const Target& target) { return target.declared_in.starts_with("tests/"); }

// A target's sources and all our headers that they reach.
std::set<std::string> reached(const Tree& tree, const Target& target) {
  std::set<std::string> seen;
  Names next = target.sources;
  while (!next.empty()) {
    const std::string path = next.back();
    next.pop_back();
    const SourceFile* file = tree.find(path);
    if (file == nullptr || !seen.insert(path).second) continue;
    for (const Include& include : includes_of(*file))
      if (include.quoted) next.push_back(include.what);
  }
  return seen;
}

// The target that compiles a header's .cpp; none for header-only files and for a .cu's interface:
// plain structs that both sides of a library opened at run time include.
std::map<std::string, std::string> header_owners(const std::map<std::string, Target>& targets) {
  std::map<std::string, std::string> owners;
  for (const auto& [name, target] : targets)
    for (const std::string& source : target.sources)
      if (!of_tests(target) && source.ends_with(".cpp"))
        owners[source.substr(0, source.rfind('.')) + ".h"] = name;
  return owners;
}

constexpr const char* kTable = "link a lower target, or change the rooms in tests/house/rooms.cpp";

}  // namespace

// A target links targets of lower rooms (a program also its own room's target), and packages that
// its rooms may include.
Findings links_go_down(const Tree& tree) {
  const Targets targets = targets_of(tree);
  Findings findings;
  for (const auto& [name, target] : targets) {
    if (of_tests(target)) continue;
    const int floor = floor_of(name);
    const Names packages = packages_of({name});
    for (const std::string& link : target.links) {
      if (has(kCommon, link)) continue;
      const bool good = targets.contains(link) ? ground_of(link) <= floor && ground_of(link) >= 0
                                               : package_allowed(packages, link);
      if (!good)
        findings.push_back({target.declared_in, target.line, name + " links only what is below it",
                            name + " -> " + link, kTable});
    }
  }
  return findings;
}

Findings includes_follow_the_links(const Tree& tree) {
  const Targets targets = targets_of(tree);
  const auto owners = header_owners(targets);
  Findings findings;
  for (const auto& [name, target] : targets) {
    if (of_tests(target) || floor_of(name) < 0) continue;
    const Names below = with_its_links(targets, name), packages = packages_of(below);
    for (const std::string& path : reached(tree, target))
      for (const Include& include : includes_of(*tree.find(path))) {
        const auto owner = owners.find(include.what);
        const bool ours = owner != owners.end() && include.quoted;
        const std::string package = include.quoted ? "" : package_of(include.what);
        const bool good = ours ? has(below, owner->second) || has(kCommon, owner->second)
                               : package.empty() || package_allowed(packages, package);
        if (!good)
          findings.push_back({path, include.line, name + " includes only what it links",
                              include.what + " of " + (ours ? owner->second : package), kTable});
      }
  }
  return findings;
}

Findings torch_stays_in_its_place(const Tree& tree) {
  Findings findings;
  std::set<std::string> with_torch;
  for (const auto& [name, target] : targets_of(tree))
    if (has(packages_of({name}), "torch")) with_torch.merge(reached(tree, target));
  for (const SourceFile& file : tree.files)
    for (const Include& include : includes_of(file)) {
      if (include.quoted || package_of(include.what) != "torch") continue;
      const bool header = file.extension() == ".h", cuda = file.extension().starts_with(".cu");
      if (cuda)
        findings.push_back({file.path, include.line, "no torch header in CUDA sources",
                            include.what, "pass a plain struct of pointers and strides"});
      else if (header && include.what == "torch/torch.h")
        findings.push_back({file.path, include.line, "no torch/torch.h in a header", include.what,
                            "it costs 25 s a file: include the one ATen header that is needed"});
      else if (file.folder() != "tests" && !with_torch.contains(file.path))
        findings.push_back(
            {file.path, include.line, "no torch in a target without it", include.what, kTable});
    }
  return findings;
}

Findings cmake_has_no_glob_and_no_native(const Tree& tree) {
  const std::string native = std::string("-march=") + "native";
  Findings findings;
  for (const SourceFile& file : tree.files) {
    int number = 0;
    const bool prose = file.extension() == ".md" || file.path.starts_with("tests/house/");
    for (const std::string_view line : file.lines()) {
      ++number;
      if (!prose && line.find(native) != std::string_view::npos)
        findings.push_back({file.path, number, "code for every x86-64", native,
                            "choose the fast path at run time"});
    }
    if (!file.path.ends_with("CMakeLists.txt") && file.extension() != ".cmake") continue;
    for (const Command& command : cmake_commands(file.text))
      if (command.name == "file" && !command.words.empty() && command.words[0].starts_with("GLOB"))
        findings.push_back({file.path, command.line, "listed files", "file(GLOB ...)",
                            "list every source, so that a forgotten one is noticed"});
  }
  return findings;
}

}  // namespace house
