// `lcsm show`: prints one run in full.
#include <fmt/format.h>

#include <filesystem>
#include <nlohmann/json.hpp>
#include <stdexcept>
#include <system_error>

#include "lcsm/files/read_file.h"
#include "results/events/run_folder.h"
#include "results/store/run_facts.h"
#include "results/text/escape.h"
#include "runner/base/files/json_file.h"
#include "runner/base/process/exit_code.h"
#include "runner/base/text/terminal.h"
#include "runner/front/options/results_verb.h"
#include "runner/front/verbs/become_trainer.h"
#include "runner/front/verbs/verbs.h"
#include "runner/sweeps/plan/run_choice.h"

namespace runner {
namespace {

using Json = nlohmann::ordered_json;
using results::RunFacts;
using results::RunState;

struct ShowRunOptions {
  std::string run, workspace, checkpoint = "best";
  bool json = false, diff = false, gates = false;
};

Json json_of(const std::vector<results::Setting>& settings) {
  Json json = Json::object();
  for (const results::Setting& setting : settings) json[setting.key] = setting.value;
  return json;
}

Json json_of(const results::Grid& grid) {
  const Json parsed = Json::parse(results::json_of(grid, ""));
  return {{"columns", parsed["columns"]}, {"rows", parsed["rows"]}};
}

// A run removes checkpoints that it no longer needs.
void leave_out_gone(const std::filesystem::path& folder, results::Grid* artefacts) {
  constexpr std::size_t kPath = 3;
  std::erase_if(artefacts->rows, [&](const std::vector<results::Cell>& row) {
    std::error_code unreadable;
    return !std::filesystem::exists(folder / results::cell_text(row[kPath]), unreadable);
  });
}

// An attempt whose events have no end has the state that `lcsm status` gives its run.
void judge_without_end(const std::filesystem::path& workspace, RunFacts* facts) {
  constexpr std::size_t kStatus = 1, kSeconds = 4;
  if (facts->attempt_list.rows.empty()) return;
  std::vector<results::Cell>& last = facts->attempt_list.rows.back();
  if (!std::holds_alternative<std::monostate>(last[kSeconds])) return;
  const RunStatus now =
      status_in(workspace, facts->id, {.last = RunState::kRunning}, read_control(workspace));
  facts->status = name_of(counted_as(now.last));
  facts->message = now.message;
  last[kStatus] = facts->status;
}

// The file with the changes to the commit that the last attempt's program was built from; "": none.
std::string diff_of(const RunFacts& facts, const std::filesystem::path& folder) {
  for (const results::Setting& fact : facts.environment)
    if (fact.key == results::kDiffFact && results::is_diff_name(fact.value) &&
        std::filesystem::exists(folder / fact.value))
      return folder / fact.value;
  return "";
}

std::string json_text(const RunFacts& facts, const std::string& folder) {
  const Json json = {{"schema", "lcsm.run/1"},
                     {"id", facts.id},
                     {"status", facts.status},
                     {"message", facts.message},
                     {"steps", facts.steps},
                     {"folder", folder},
                     {"diff", diff_of(facts, folder)},
                     {"sweeps", facts.sweeps},
                     {"tags", facts.tags},
                     {"notes", json_of(facts.notes)},
                     {"parameters", json_of(facts.parameters)},
                     {"environment", json_of(facts.environment)},
                     {"metrics", json_of(facts.metrics)},
                     {"evaluations", json_of(facts.evaluations)},
                     {"attempts", json_of(facts.attempt_list)},
                     {"artefacts", json_of(facts.artefacts)}};
  return printed_json(json);
}

void print_settings(const char* title, const std::vector<results::Setting>& settings) {
  if (settings.empty()) return;
  results::Grid grid{{title, ""}, {}};
  for (const results::Setting& setting : settings)
    grid.rows.push_back({setting.key, setting.value});
  fmt::print("\n{}", grid_text(grid));
}

void print_rows(const results::Grid& grid) {
  if (!grid.rows.empty()) fmt::print("\n{}", grid_text(grid));
}

void print_page(const RunFacts& facts, const std::string& folder) {
  fmt::print("run       {}\nstatus    {} at step {}{}\n", facts.id, facts.status, facts.steps,
             facts.message.empty() ? "" : ": " + results::safe_text(facts.message));
  if (!facts.sweeps.empty()) fmt::print("sweeps    {}\n", fmt::join(facts.sweeps, ", "));
  if (!facts.tags.empty()) fmt::print("tags      {}\n", fmt::join(facts.tags, ", "));
  for (const auto& note : facts.notes.rows)
    fmt::print("note      {}\n", results::safe_text(results::cell_text(note[1])));
  fmt::print("folder    {}\n", folder);
  if (const std::string diff = diff_of(facts, folder); !diff.empty())
    fmt::print("diff      {}\n", diff);
  print_rows(facts.metrics);
  print_rows(facts.evaluations);
  print_settings("parameter", facts.parameters);
  print_rows(facts.attempt_list);
  print_settings("environment", facts.environment);
  print_rows(facts.artefacts);
}

// Into a pipe byte for byte, for `git apply`.
void print_diff(const RunFacts& facts, const std::string& folder) {
  const std::string file = diff_of(facts, folder);
  if (file.empty())
    throw Failure(ExitCode::kMissing,
                  "expected the uncommitted changes that run " + facts.id +
                      " was trained with, but none were stored: `lcsm show` prints its commit, and "
                      "\"dirty\" says whether there were any");
  const std::string diff = lcsm::read_file(file);
  fmt::print("{}", out_terminal().tty ? lcsm::safe_lines(diff) : diff);
}

[[noreturn]] void show_gates(const ShowRunOptions& options, const std::string& id,
                             const std::filesystem::path& workspace) {
  std::vector<std::string> words = {
      "gates", id, "--workspace", workspace.string(), "--checkpoint", options.checkpoint};
  if (options.json) words.push_back("--json");
  become_trainer(std::move(words));
}

void show_run(const ShowRunOptions& options) {
  if (options.diff && (options.json || options.gates))
    throw std::invalid_argument("expected --diff alone, got it with another option");
  const auto workspace = workspace_of(options.workspace);
  auto database = open_results(workspace);
  const std::string id = find_run(*database, workspace, options.run);
  if (options.gates) {
    database.reset();
    show_gates(options, id, workspace);
  }
  RunFacts facts = results::facts_of(*database, id);
  const std::string folder = results::run_folder(workspace, facts.id).string();
  judge_without_end(workspace, &facts);
  leave_out_gone(folder, &facts.artefacts);
  if (options.diff)
    print_diff(facts, folder);
  else if (options.json)
    fmt::print("{}", json_text(facts, folder));
  else
    print_page(facts, folder);
}

}  // namespace

void add_show(Verb& program) {
  Verb& verb = program.verb("show", "Show one run: parameters, metrics, environment");
  ShowRunOptions& options = verb.runs(show_run);
  add_run_argument(verb, "run", &options.run, kRunHelp);
  verb.flag("--json", &options.json, "Print JSON (schema lcsm.run/1; with --gates lcsm.gates/1)");
  verb.flag("--gates", &options.gates,
            "Show how fast its layers forget: decays, half-lives, floors, norms of the state");
  verb.option("--checkpoint", &options.checkpoint, "With --gates: best, last or a step")
      .type("STEP")
      .default_shown()
      .needs("--gates");
  verb.flag("--diff", &options.diff,
            "Print only the uncommitted source changes that it was trained with");
  add_workspace_option(verb, &options.workspace);
  verb.footer(
      "Examples:\n  lcsm show 3f9c\n  lcsm show 3f9c --json\n  lcsm show 3f9c --gates\n"
      "  lcsm show 3f9c --diff | git apply\n\n"
      "`lcsm-train gates --help` explains the columns of --gates.");
}

}  // namespace runner
