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

// Folders whose sources each have a test file of the same name.
constexpr std::array kTested = {"lcsm", "ets", "runner", "results"};

struct Untested {
  const char* path;
  const char* reason;
};

// Sources without a test file of their own, and where they are tested instead.
constexpr std::array kUntested = {
    Untested{"runner/systems/base_conv.cpp", "blocks/block_test: every row"},
    Untested{"runner/systems/blocks.cpp", "blocks/block_test: every row"},
    Untested{"runner/blocks/base_conv.cpp", "blocks/block_test: every row"},
    Untested{"runner/datasets/data_file_header.cpp", "data_file_test reads what it refuses"},
    Untested{"runner/datasets/data_file_writer.cpp", "data_file_test reads what it writes"},
    Untested{"runner/datasets/found.cpp", "verbs/data_test lists with it"},
    Untested{"runner/pages/data_page.cpp", "verbs/data_test reads what the verb prints"},
    Untested{"runner/config/code_argument.cpp", "params_test reads what it refuses"},
    Untested{"lcsm/tensors/tensor_formula.cpp", "recurrence_test: every row, values and gradients"},
    Untested{"lcsm/layer/chunk_op.cpp", "recurrence_cpu_test and random_gates_test"},
    Untested{"lcsm/measure/copy_cpu.cpp", "ceilings_test checks what it copies"},
    Untested{"runner/bench/bench_peers_complex.cpp", "bench_peers_test, every row"},
    Untested{"runner/bench/bench_data.cpp", "the commands of runner/README.md run it"},
    Untested{"runner/bench/bench_setting.cpp", "bench_eos_test and bench_ets_test"},
    Untested{"lcsm/cpu/modes_cpu.cpp", "modes_op_test, in every shape"},
    Untested{"lcsm/layer/recurrence_modes.cpp", "recurrence_cpu_test, every static code"},
    Untested{"lcsm/layer/modes_call.cpp", "modes_op_test, in every shape"},
    Untested{"lcsm/layer/delta_op.cpp", "recurrence_cpu_test, row fwp and its relatives"},
    Untested{"lcsm/formula/derivative.cpp", "properties_test: every row and 10 000 formulas"},
    Untested{"lcsm/formula/evaluate.cpp", "properties_test: every row and 10 000 formulas"},
    Untested{"lcsm/formula/functions.cpp", "properties_test: values, ranges, derivatives of each"},
    Untested{"lcsm/formula/interval.cpp", "range_test and properties_test"},
    Untested{"lcsm/formula/logarithm.cpp", "simplify_test and properties_test"},
    Untested{"lcsm/tensors/operation.cpp",
             "recurrence_cpu_test: every machine is one; it refuses second derivatives"},
    Untested{"lcsm/measure/rates.cpp", "ceilings_test"},
    Untested{"lcsm/files/safetensors_reader.cpp", "safetensors_header_test reads what it refuses"},
    Untested{"lcsm/cpu/scan_cpu.cpp", "recurrence_cpu_test and random_gates_test"},
    Untested{"lcsm/layer/scan_op.cpp", "recurrence_cpu_test and random_gates_test"},
    Untested{"lcsm/tensors/shares.cpp", "recurrence_cpu_test: any number of threads"},
    Untested{"lcsm/formula/symbols.cpp", "formula_test reads every spelling"},
    Untested{"lcsm/code/tables.cpp", "constants; every test of a code reads them"},
    Untested{"lcsm/tape/tape_slots.cpp", "tape_test runs tapes through their buffers"},
    Untested{"lcsm/tape/tape_values.cpp", "tape_test, values of every kind"},
    Untested{"lcsm/cpu/complex_scan_cpu.cpp", "recurrence_cpu_test and random_gates_test"},
    Untested{"lcsm/layer/recurrence_complex.cpp", "recurrence_cpu_test and random_gates_test"},
    Untested{"lcsm/layer/scan_shares.cpp", "recurrence_cpu_test: any number of threads"},
    Untested{"lcsm/measure/timing.cpp", "ceilings_test"},
    Untested{"lcsm/code/variant.cpp", "plan_test, decay_test and wikitext_test"},
    Untested{"ets/families/ces.cpp", "family_test and layer_test: every row"},
    Untested{"ets/families/diagonal.cpp", "init_tables_test: every start"},
    Untested{"ets/families/dss.cpp", "family_test and layer_test: every row"},
    Untested{"ets/families/ema.cpp", "family_test and layer_test: every row"},
    Untested{"ets/families/h3.cpp", "family_test and layer_test: every row"},
    Untested{"ets/families/replay.cpp", "options_test and layer/replay_test: every form"},
    Untested{"ets/families/s4.cpp", "init_tables_test and oracles_test: first values"},
    Untested{"ets/families/s4d.cpp", "family_test and layer_test: every row"},
    Untested{"ets/families/s5.cpp", "family_test and layer_test: every row"},
    Untested{"ets/families/tensor_list.cpp", "family_test: every row"},
    Untested{"ets/families/tnn.cpp", "family_test and layer_test: every row"},
    Untested{"ets/kernels/tnn.cpp", "layer/tnn_test and layer_test"},
    Untested{"ets/kernels/ces.cpp", "layer_test and oracles_test"},
    Untested{"ets/kernels/dss.cpp", "layer_test and oracles_test"},
    Untested{"ets/kernels/ema.cpp", "layer_test and oracles_test"},
    Untested{"ets/kernels/filter.cpp", "layer_test and oracles_test"},
    Untested{"ets/kernels/h3.cpp", "layer_test: the authors' numbers"},
    Untested{"ets/kernels/s4.cpp", "layer_test and oracles_test"},
    Untested{"ets/kernels/s4d.cpp", "layer_test and oracles_test"},
    Untested{"ets/kernels/s5.cpp", "layer_test and oracles_test"},
    Untested{"ets/kernels/shared.cpp", "layer_test and oracles_test"},
    Untested{"ets/layer/h3.cpp", "layer_test: the authors' numbers"},
    Untested{"ets/machines/reference.cpp", "machines_test, layer_test and oracles_test"},
    Untested{"ets/machines/shared_scan.cpp", "shared_modes_test: every S5 is one"},
    Untested{"ets/machines/state.cpp", "machines_test: what it refuses"},
    Untested{"ets/machines/modes.cpp", "machines_test: every family against the definition"},
    Untested{"runner/train_verbs/layer_file.cpp", "apply_test and apply_family_test"},
    Untested{"results/figures/figure_csv.cpp", "figure_script_test: golden files"},
    Untested{"results/figures/figure_layout.cpp", "figure_script_test"},
    Untested{"results/tables/table_data.cpp", "table_formats_test: golden files"},
    Untested{"results/tables/table_markup.cpp", "table_formats_test: golden files"},
    Untested{"results/tables/table_shown.cpp", "table_formats_test: golden files"},
    Untested{"results/proofs/file_system.cpp", "workspace_test"},
    Untested{"results/proofs/proof_files.cpp", "workspace_test"},
    Untested{"results/store/run_export.cpp", "run_facts_test"},
    Untested{"results/store/event_folder.cpp", "fold_test and collector_test fold whole folders"},
    Untested{"results/store/published_rows.cpp", "published_test and store_test"},
    Untested{"results/store/run_rows.cpp",
             "fold_test and collector_test: every row of every table"},
    Untested{"results/proofs/prove_locks.cpp", "workspace_test"},
    Untested{"results/proofs/prove_rename.cpp", "workspace_test"},
    Untested{"results/proofs/sqlite_version.cpp", "workspace_test"},
    Untested{"runner/show/figure_cells.cpp", "figure_text_test: golden files"},
    Untested{"runner/show/figure_panel.cpp", "figure_text_test: golden files"},
    Untested{"runner/show/figure_plot.cpp", "figure_text_test: golden files"},
    Untested{"runner/show/figure_rows.cpp", "figure_text_test: golden files"},
    Untested{"runner/verbs/diff.cpp", "results_verb_test runs it"},
    Untested{"runner/train_verbs/eval.cpp", "evaluation_test: all but its words"},
    Untested{"runner/verbs/eval.cpp", "evaluation_test and sampling_test: what it starts"},
    Untested{"runner/train_verbs/sample.cpp", "sampling_test: all but its words"},
    Untested{"runner/training/trained_model.cpp", "evaluation_test: what it takes and refuses"},
    Untested{"runner/verbs/serve.cpp", "sweep_site_test and http_server_test: what it serves"},
    Untested{"runner/models/inputs.cpp", "model_test: what it takes and refuses"},
    Untested{"runner/training/heads.cpp",
             "trainer_test and training_test: loss, score, divergence"},
    Untested{"runner/training/mqar_data.cpp", "task_data_test: where it scores"},
    Untested{"runner/training/precision.cpp", "training_test: a run in bfloat16, resumed"},
    Untested{"runner/training/text_data.cpp", "task_data_test: its blocks"},
    Untested{"runner/verbs/export.cpp", "results_verb_test runs it"},
    Untested{"runner/verbs/figure.cpp", "views_verb_test runs it"},
    Untested{"runner/verbs/gc.cpp", "views_verb_test runs it"},
    Untested{"runner/verbs/report.cpp", "views_verb_test runs it"},
    Untested{"runner/show/gnuplot.cpp", "pictures_test draws with it"},
    Untested{"runner/sweeps/claim_block.cpp", "sweeps/views_test reads it"},
    Untested{"runner/sweeps/figure_block.cpp", "sweeps/views_test reads it"},
    Untested{"runner/sweeps/table_block.cpp", "sweeps/views_test reads it"},
    Untested{"runner/sweeps/view_block.cpp", "sweeps/views_test reads what it refuses"},
    Untested{"runner/show/views_text.cpp", "panel_test: what a sweep ends with"},
    Untested{"runner/verbs/log.cpp", "results_verb_test runs it"},
    Untested{"runner/verbs/merge.cpp", "results_verb_test runs it"},
    Untested{"runner/verbs/query.cpp", "results_verb_test runs it"},
    Untested{"runner/verbs/rebuild.cpp", "results_verb_test runs it"},
    Untested{"runner/verbs/show.cpp", "results_verb_test runs it"},
    Untested{"runner/verbs/table.cpp", "results_verb_test runs it"},
    Untested{"runner/host/checks_resources.cpp", "doctor_test"},
    Untested{"runner/host/checks_workspace.cpp", "doctor_test"},
    Untested{"runner/process/command.cpp",
             "resources_test runs programs that hang, fail and flood"},
    Untested{"runner/host/nvml.cpp", "resources_test, against a stand-in"},
    Untested{"runner/files/source_error.cpp",
             "oscillation_file_test reads lines, columns and carets"},
    Untested{"runner/config/config_mistakes.cpp", "config_tree_test reads every line of it"},
    Untested{"runner/models/mixers.cpp", "skeletons_test and model_test: every family"},
    Untested{"runner/files/mapped_file.cpp", "token_file_test maps every file it reads"},
    Untested{"runner/verbs/explain.cpp", "sweep_verb_test runs it"},
    Untested{"runner/verbs/plan.cpp", "sweep_verb_test runs it"},
    Untested{"runner/families/tensor_list.cpp", "model_tensors_test reads every tensor"},
    Untested{"runner/pages/config_page.cpp", "verbs/config_test reads what the verb prints"},
    Untested{"runner/pages/status_page.cpp", "verbs/status_test reads what the verb prints"},
    Untested{"runner/pages/plan_page.cpp", "sweep_verb_test reads what the verb prints"},
    Untested{"runner/verbs/run.cpp", "schedule/conductor_test runs it"},
    Untested{"runner/verbs/run_work.cpp", "schedule/conductor_test and sweep_control_test run it"},
    Untested{"runner/verbs/watch.cpp", "panel_test and status_test run it"},
    Untested{"runner/process/stop_counter.cpp", "schedule/conductor_test stops with it"},
    Untested{"runner/plan/current_results.cpp",
             "results_verb_test and conductor_test fold with it"},
    Untested{"runner/sweeps/choice.cpp", "sweep_verb_test reads its sentences"},
    Untested{"runner/panel/feed.cpp", "panel_test runs a sweep under the panel"},
    Untested{"runner/panel/database_values.cpp", "panel_test, its table and best values"},
    Untested{"runner/panel/folders.cpp", "panel_test and status_test look at folders with it"},
    Untested{"runner/panel/page.cpp", "view_test compares whole pages"},
    Untested{"runner/panel/rows.cpp", "view_test compares whole pages"},
    Untested{"runner/panel/screen.cpp", "panel_test, in a terminal of its own"},
    Untested{"runner/panel/screen_guard.cpp", "panel_test, by kill -9 of its program"},
    Untested{"runner/plan/run_choice.cpp", "sweep_control_test names runs in every way"},
    Untested{"runner/front/run_options.cpp", "conductor_test runs with each"},
    Untested{"runner/verbs/control_verbs.cpp", "sweep_control_test runs them"},
    Untested{"runner/pages/run_why.cpp", "sweep_control_test reads what it prints"},
    Untested{"runner/verbs/why.cpp", "sweep_control_test reads what it prints"},
    Untested{"runner/verbs/sweeps.cpp", "sweep_verb_test runs it"},
    Untested{"runner/front/setting_candidates.cpp", "completions_test completes after --set"},
    Untested{"runner/config/config_toml.cpp",
             "config_tree_test and sweeps/file_test read through it"},
    Untested{"runner/sweeps/case.cpp",
             "sweeps/file_test reads every mistake, sweeps/points_test what matches"},
    Untested{"runner/sweeps/hits.cpp", "sweeps/file_test: cases that never apply"},
    Untested{"runner/sweeps/layer.cpp", "sweeps/file_test reads every mistake"},
    Untested{"runner/panel/sweep_lines.cpp", "schedule/conductor_test reads a line of each end"},
    Untested{"runner/sweeps/merge.cpp", "sweeps/points_test merges layers"},
    Untested{"runner/sweeps/view_check.cpp", "sweeps/file_test: what there is not"},
    Untested{"runner/sweeps/values.cpp",
             "sweeps/file_test reads every mistake, sweeps/points_test the values"},
    Untested{"runner/files/toml_file.cpp", "oscillation_file_test reads what it refuses"},
    Untested{"runner/verbs/main.cpp", "a list of verbs; front_test runs the program"},
    Untested{"runner/train_verbs/train_main.cpp", "a list of verbs"},
    Untested{"runner/codes/code_json.cpp", "codes_test reads what the verb prints"},
    Untested{"runner/codes/code_page.cpp", "codes_test reads what the verb prints"},
    Untested{"runner/codes/code_tables.cpp", "codes_test reads what the verb prints"},
    Untested{"runner/codes/code_text.cpp", "codes_test reads what the verb prints"},
    Untested{"runner/cli/option.cpp", "verb_test, and parse_test: every kind of option"},
    Untested{"runner/cli/usage_error.cpp", "front_test reads every sentence"},
};

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
    findings.push_back(
        {file.path, 0, "a test " + test, "none",
         "write it, or give the reason in kUntested of tests/house/layout_rules.cpp"});
  }
  return findings;
}

Findings every_excuse_is_true(const Tree& tree) {
  constexpr const char* kAdvice = "delete the row in tests/house/layout_rules.cpp";
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
