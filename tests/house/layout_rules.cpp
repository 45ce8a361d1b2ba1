#include <algorithm>
#include <array>
#include <filesystem>
#include <set>

#include "tests/house/rules.h"

namespace house {
namespace {

constexpr std::array kTopLevel = {
    "CMakeLists.txt", "CMakePresets.json", "bootstrap", "README.md", "lcsm", "ets", "runner",
    "sweeps",         "results",           "tests",
};

// Folders whose sources are each tested in a file of the same name.
constexpr std::array kTested = {"lcsm", "ets", "runner", "results"};

struct Untested {
  const char* path;
  const char* reason;
};

// Sources without a test file of their own, and where they are tested instead.
constexpr std::array kUntested = {
    Untested{"runner/code_argument.cpp", "params_test reads what it refuses"},
    Untested{"lcsm/tensor_formula.cpp", "recurrence_test: every row, values and gradients"},
    Untested{"lcsm/chunk_op.cpp", "recurrence_cpu_test and random_gates_test"},
    Untested{"lcsm/copy_cpu.cpp", "ceilings_test checks what it copies"},
    Untested{"lcsm/delta_op.cpp", "recurrence_cpu_test, row fwp and its kin"},
    Untested{"lcsm/derivative.cpp", "properties_test: every row and 10 000 formulas"},
    Untested{"lcsm/evaluate.cpp", "properties_test: every row and 10 000 formulas"},
    Untested{"lcsm/functions.cpp", "properties_test: values, ranges, derivatives of each"},
    Untested{"lcsm/interval.cpp", "range_test and properties_test"},
    Untested{"lcsm/logarithm.cpp", "simplify_test and properties_test"},
    Untested{"lcsm/operation.cpp",
             "recurrence_cpu_test: every machine is one; it refuses second derivatives"},
    Untested{"lcsm/rates.cpp", "ceilings_test"},
    Untested{"lcsm/safetensors_reader.cpp", "safetensors_header_test reads what it refuses"},
    Untested{"lcsm/scan_cpu.cpp", "recurrence_cpu_test and random_gates_test"},
    Untested{"lcsm/scan_op.cpp", "recurrence_cpu_test and random_gates_test"},
    Untested{"lcsm/sweeps.cpp", "recurrence_cpu_test: any number of threads"},
    Untested{"lcsm/symbols.cpp", "formula_test reads every spelling"},
    Untested{"lcsm/tables.cpp", "constants; every test of a code reads them"},
    Untested{"lcsm/tape_slots.cpp", "tape_test runs tapes through their buffers"},
    Untested{"lcsm/timing.cpp", "ceilings_test"},
    Untested{"lcsm/variant.cpp", "plan_test, decay_test and wikitext_test"},
    Untested{"results/file_system.cpp", "workspace_test"},
    Untested{"results/proof_files.cpp", "workspace_test"},
    Untested{"results/run_export.cpp", "run_facts_test"},
    Untested{"results/run_rows.cpp", "fold_test and collector_test: every row of every table"},
    Untested{"results/prove_locks.cpp", "workspace_test"},
    Untested{"results/prove_rename.cpp", "workspace_test"},
    Untested{"results/sqlite_version.cpp", "workspace_test"},
    Untested{"runner/diff.cpp", "results_verb_test runs it"},
    Untested{"runner/half_precision.cpp", "training_test: a run in bfloat16, resumed"},
    Untested{"runner/export.cpp", "results_verb_test runs it"},
    Untested{"runner/figure.cpp", "views_verb_test runs it"},
    Untested{"runner/gc.cpp", "views_verb_test runs it"},
    Untested{"runner/report.cpp", "views_verb_test runs it"},
    Untested{"runner/gnuplot.cpp", "pictures_test draws with it"},
    Untested{"runner/claim_block.cpp", "sweep_views_test reads it"},
    Untested{"runner/figure_block.cpp", "sweep_views_test reads it"},
    Untested{"runner/table_block.cpp", "sweep_views_test reads it"},
    Untested{"runner/view_block.cpp", "sweep_views_test reads what it refuses"},
    Untested{"runner/views_text.cpp", "panel_test: what a sweep ends with"},
    Untested{"runner/log.cpp", "results_verb_test runs it"},
    Untested{"runner/merge.cpp", "results_verb_test runs it"},
    Untested{"runner/query.cpp", "results_verb_test runs it"},
    Untested{"runner/rebuild.cpp", "results_verb_test runs it"},
    Untested{"runner/show.cpp", "results_verb_test runs it"},
    Untested{"runner/table.cpp", "results_verb_test runs it"},
    Untested{"runner/checks_machine.cpp", "doctor_test"},
    Untested{"runner/checks_workspace.cpp", "doctor_test"},
    Untested{"runner/command.cpp", "machine_test runs programs that hang, fail and flood"},
    Untested{"runner/nvml.cpp", "machine_test, against a stand-in"},
    Untested{"runner/source_error.cpp", "oscillation_file_test reads lines, columns and carets"},
    Untested{"runner/config_mistakes.cpp", "config_tree_test reads every line of it"},
    Untested{"runner/mixers.cpp", "skeletons_test and model_test: every family"},
    Untested{"runner/mapped_file.cpp", "token_file_test maps every file it reads"},
    Untested{"runner/explain.cpp", "sweep_verb_test runs it"},
    Untested{"runner/plan.cpp", "sweep_verb_test runs it"},
    Untested{"runner/plan_views.cpp", "sweep_verb_test reads what the verb prints"},
    Untested{"runner/sweep_run_verb.cpp", "sweep_run_test runs it"},
    Untested{"runner/watch.cpp", "panel_test and status_test run it"},
    Untested{"runner/stop_counter.cpp", "sweep_run_test stops with it"},
    Untested{"runner/why.cpp", "sweep_control_test reads what it says"},
    Untested{"runner/sweeps.cpp", "sweep_verb_test runs it"},
    Untested{"runner/setting_candidates.cpp", "completions_test types behind --set"},
    Untested{"runner/config_toml.cpp", "config_tree_test and sweep_file_test read through it"},
    Untested{"runner/sweep_case.cpp",
             "sweep_file_test reads every mistake, sweep_points_test what matches"},
    Untested{"runner/sweep_hits.cpp", "sweep_file_test: cases that never apply"},
    Untested{"runner/sweep_layer.cpp", "sweep_file_test reads every mistake"},
    Untested{"runner/sweep_lines.cpp", "sweep_run_test reads a line of each end"},
    Untested{"runner/sweep_merge.cpp", "sweep_points_test lays layers upon each other"},
    Untested{"runner/sweep_view_check.cpp", "sweep_file_test: what there is not"},
    Untested{"runner/sweep_values.cpp",
             "sweep_file_test reads every mistake, sweep_points_test the values"},
    Untested{"runner/toml_file.cpp", "oscillation_file_test reads what it refuses"},
    Untested{"runner/main.cpp", "a list of verbs; front_test runs the program"},
    Untested{"runner/train_main.cpp", "a list of verbs"},
    Untested{"runner/code_json.cpp", "codes_test reads what the verb prints"},
    Untested{"runner/code_page.cpp", "codes_test reads what the verb prints"},
    Untested{"runner/code_tables.cpp", "codes_test reads what the verb prints"},
    Untested{"runner/code_text.cpp", "codes_test reads what the verb prints"},
    Untested{"runner/help.cpp", "front_test reads the help pages"},
    Untested{"runner/usage_error.cpp", "front_test reads every sentence"},
};

bool ends_with_one_of(const std::string& path, std::initializer_list<const char*> ends) {
  return std::any_of(ends.begin(), ends.end(),
                     [&](const char* end) { return path.ends_with(end); });
}

// tests/lcsm/code_test.cpp serves lcsm/code.cpp and what continues it, lcsm/code_pattern.cpp.
bool has_test(const Tree& tree, const std::string& path) {
  std::string stem = path.substr(0, path.rfind('.'));
  while (true) {
    if (tree.find("tests/" + stem + "_test.cpp") != nullptr) return true;
    const std::size_t cut = stem.rfind('_');
    if (cut == std::string::npos || cut < stem.rfind('/')) return false;
    stem.resize(cut);
  }
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
                          "'" + name + "'", "move it into the folder that it serves"});
  }
  return findings;
}

Findings every_folder_has_a_readme(const Tree& tree) {
  Findings findings;
  std::set<std::string> folders = {""};
  for (const SourceFile& file : tree.files)
    if (!file.path.starts_with('.')) folders.insert(file.folder());
  for (const std::string& folder : folders) {
    const std::string path = (folder.empty() ? "" : folder + "/") + "README.md";
    if (tree.find(path) == nullptr)
      findings.push_back({path, 0, "a README.md in every folder", "none",
                          "say what the folder is for and how one adds to it"});
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
                          "none names it", "add it to its target, or delete it"});
    if (ends_with_one_of(file.path, {".h", ".cuh"}) && !included.contains(file.path))
      findings.push_back({file.path, 0, "every header included from the root", "nobody includes it",
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
    findings.push_back(
        {file.path, 0, "a test " + test, "none",
         "write it, or give the reason in kUntested of tests/house/layout_rules.cpp"});
  }
  return findings;
}

}  // namespace house
