#include <algorithm>
#include <map>
#include <set>

#include "tests/house/rooms.h"
#include "tests/house/rules.h"

namespace house {
namespace {

// The direction of dependencies, lowest first: a target and what its target_link_libraries may name
// besides the packages of its rooms.
struct Row {
  const char* target;
  Names links;
};

const std::vector<Row>& design() {
  static const std::vector<Row> rows = {
      {"lcsm_flags", {}},
      {"lcsm_revision", {}},
      {"lcsm_source_diff", {}},
      {"lcsm_code", {}},
      {"lcsm_kernel", {"lcsm_code", "lcsm_files"}},
      {"lcsm_write_kernels", {"lcsm_kernel"}},
      {"lcsm_files", {}},
      {"lcsm_cpu", {"lcsm_code"}},
      {"lcsm", {"lcsm_code", "lcsm_cpu", "lcsm_files", "lcsm_kernel"}},
      {"lcsm_cuda", {"torch::cuda"}},
      {"ets_code", {"lcsm_code"}},
      {"ets_cpu", {"lcsm_cpu"}},
      {"ets_launch", {"lcsm_kernel"}},
      {"ets", {"ets_code", "ets_cpu", "ets_launch", "lcsm"}},
      {"results_events", {"lcsm_files"}},
      {"results", {"results_events", "lcsm_code"}},
      {"runner_base", {"lcsm_code", "lcsm_files", "results_events"}},
      {"runner_cli", {"runner_base"}},
      {"runner_systems", {"ets_code"}},
      {"runner_config", {"runner_systems", "runner_base", "lcsm_kernel"}},
      {"runner_tasks", {"runner_config", "lcsm_files"}},
      {"runner_datasets", {"runner_tasks"}},
      {"runner_intake", {"runner_datasets"}},
      {"runner_sweeps", {"runner_datasets", "results"}},
      {"runner_schedule", {"runner_sweeps"}},
      {"runner_front", {"runner_schedule", "runner_intake", "runner_cli"}},
      {"lcsm_front", {"runner_front"}},
      {"runner_models", {"lcsm", "lcsm_cpu", "ets", "runner_tasks"}},
      {"runner_train",
       {"runner_models", "runner_datasets", "ets", "results_events", "runner_cli",
        "lcsm_source_diff"}},
      {"lcsm-train", {"runner_train", "runner_cli"}},
  };
  return rows;
}

// Every target may link these.
const Names kCommon = {"lcsm_flags", "lcsm_revision", "Threads::Threads", "${CMAKE_DL_LIBS}"};

const Row* row_of(const std::string& target) {
  for (const Row& row : design())
    if (target == row.target) return &row;
  return nullptr;
}

bool has(const Names& names, const std::string& name) {
  return std::find(names.begin(), names.end(), name) != names.end();
}

// A target and everything that it links, directly or not.
Names with_its_links(const std::string& target) {
  Names all = {target};
  for (std::size_t i = 0; i < all.size(); ++i)
    if (const Row* row = row_of(all[i]))
      for (const std::string& link : row->links)
        if (!has(all, link)) all.push_back(link);
  return all;
}

// The packages of the rooms that these targets compile.
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

std::string joined(const Row& row) {
  std::string text;
  const Names packages = packages_of({row.target});
  for (const Names* names : {&row.links, &packages})
    for (const std::string& name : *names) text += (text.empty() ? "" : ", ") + name;
  return text.empty() ? "nothing but the standard library" : text;
}

bool of_tests(const Target& target) { return target.declared_in.starts_with("tests/"); }

// A target's sources and every header of ours that they reach.
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

// Which target compiles the .cpp of a header. Header-only files have none, nor has the interface of
// a .cu: the plain structs that both sides include, across a library that is opened at run time.
std::map<std::string, std::string> header_owners(const std::map<std::string, Target>& targets) {
  std::map<std::string, std::string> owners;
  for (const auto& [name, target] : targets)
    for (const std::string& source : target.sources)
      if (!of_tests(target) && source.ends_with(".cpp"))
        owners[source.substr(0, source.rfind('.')) + ".h"] = name;
  return owners;
}

constexpr const char* kTable = "reverse it, or change the table in tests/house/direction_rules.cpp";

}  // namespace

Findings links_read_like_the_design(const Tree& tree) {
  Findings findings;
  for (const auto& [name, target] : targets_of(tree)) {
    if (of_tests(target)) continue;
    const Row* row = row_of(name);
    if (row == nullptr) {
      findings.push_back({target.declared_in, target.line, "only the targets of the design",
                          "'" + name + "'", kTable});
      continue;
    }
    const Names packages = packages_of({name});
    for (const std::string& link : target.links)
      if (!has(row->links, link) && !package_allowed(packages, link) && !has(kCommon, link))
        findings.push_back({target.declared_in, target.line, name + " -> " + joined(*row),
                            name + " -> " + link, kTable});
  }
  return findings;
}

Findings includes_follow_the_links(const Tree& tree) {
  const auto targets = targets_of(tree);
  const auto owners = header_owners(targets);
  Findings findings;
  for (const auto& [name, target] : targets) {
    const Row* row = row_of(name);
    if (row == nullptr || of_tests(target)) continue;
    const Names below = with_its_links(name), packages = packages_of(below);
    for (const std::string& path : reached(tree, target))
      for (const Include& include : includes_of(*tree.find(path))) {
        const auto owner = owners.find(include.what);
        const bool ours = owner != owners.end() && include.quoted;
        const std::string package = include.quoted ? "" : package_of(include.what);
        const bool good = ours ? has(below, owner->second) || has(kCommon, owner->second)
                               : package.empty() || package_allowed(packages, package);
        if (!good)
          findings.push_back({path, include.line, name + " includes only " + joined(*row),
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
