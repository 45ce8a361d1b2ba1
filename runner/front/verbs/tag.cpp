// `lcsm tag` and `lcsm note`: add people's remarks to runs.
#include <fmt/format.h>

#include "results/events/event_file.h"
#include "results/events/run_folder.h"
#include "results/events/run_notes.h"
#include "results/text/escape.h"
#include "runner/base/process/exit_code.h"
#include "runner/base/text/counts.h"
#include "runner/front/options/results_verb.h"
#include "runner/front/options/sweep_verb.h"
#include "runner/front/verbs/verbs.h"

namespace runner {
namespace {

namespace fs = std::filesystem;

struct TagOptions {
  RunChoice choice;
  std::string tag, workspace;
  bool remove = false;
};

struct NoteOptions {
  std::string run, text, workspace;
  bool remove = false;
};

void print_tags(results::Database& database) {
  results::Statement select(database, "SELECT tag, count(*) FROM tags GROUP BY tag ORDER BY tag");
  results::Grid grid{{"tag", "runs"}, {}};
  while (select.step()) grid.rows.push_back({select.text(0), select.integer(1)});
  if (grid.rows.empty()) return fmt::print(stderr, "no run has a tag\n");
  fmt::print("{}", grid_text(grid));
}

void tag(const TagOptions& options) {
  const fs::path workspace = workspace_of(options.workspace);
  const auto database = open_results(workspace);
  if (options.tag.empty()) return print_tags(*database);
  if (options.choice.words.empty())
    throw std::invalid_argument("expected runs to tag with '" + options.tag + "', got none");
  const RunStates states = run_states(*database, workspace);
  std::int64_t changed = 0, same = 0, missing = 0;
  for (const ChosenRuns& chosen : chosen_runs(options.choice, *database, states, workspace))
    for (const ChosenRun& run : chosen.runs) {
      const fs::path folder = results::run_folder(workspace, run.id);
      if (!fs::exists(results::event_file(folder)))
        ++missing;
      else if (options.remove ? results::remove_tag(folder, options.tag)
                              : results::add_tag(folder, options.tag))
        ++changed;
      else
        ++same;
    }
  fmt::print("{} {}{}{}\n", counted(changed, "run"), options.remove ? "untagged" : "tagged",
             same == 0
                 ? ""
                 : fmt::format(", {} {}", same, options.remove ? "not tagged" : "already tagged"),
             missing == 0 ? "" : fmt::format(", {} not started yet", missing));
}

// "2026-11-23T19-30-05Z-1a2b3c4d" as "2026-11-23 19:30:05"; a file by hand keeps its name.
std::string time_of(const std::string& name) {
  if (name.size() < 20 || name[10] != 'T' || name[19] != 'Z') return name;
  std::string text = name.substr(0, 19);
  text[10] = ' ';
  text[13] = text[16] = ':';
  return text;
}

void note(const NoteOptions& options) {
  const fs::path workspace = workspace_of(options.workspace);
  const auto database = open_results(workspace);
  const fs::path folder =
      results::run_folder(workspace, find_run(*database, workspace, options.run));
  if (!options.text.empty()) return results::add_note(folder, options.text);
  const std::vector<results::RunNote> notes = results::read_notes(folder).notes;
  if (options.remove && notes.empty())
    throw Failure(ExitCode::kFailed, "expected a note on this run, got none");
  if (options.remove) results::remove_note(folder, notes.back());
  for (const results::RunNote& note : notes)
    if (!options.remove || &note == &notes.back())
      fmt::print("{}  {}\n", results::safe_text(time_of(note.name)), results::safe_text(note.text));
}

}  // namespace

void add_tag(Verb& program) {
  Verb& verb = program.verb("tag", "Tag runs, or list all tags");
  TagOptions& options = verb.runs(tag);
  verb.argument("tag", &options.tag, "Letters, digits, '.', '_' and '-' (default: list all tags)")
      .type("TAG");
  add_run_choice(verb, &options.choice).required(false);
  verb.flag("--remove", &options.remove, "Remove the tag from these runs");
  add_workspace_option(verb, &options.workspace);
  verb.footer(R"text(Examples:
  lcsm tag                                   all tags
  lcsm tag baseline 3f9c 81ab
  lcsm tag best 'model.code=1-3-1-2, seed=1'
  lcsm table quickstart --where tag=baseline

A tag is an empty file in `notes/` of the run's folder. `tag` selects runs wherever a parameter can,
and is a column of `overview` in results.db.)text");
}

void add_note(Verb& program) {
  Verb& verb = program.verb("note", "Write a note about a run, or print its notes");
  NoteOptions& options = verb.runs(note);
  add_run_argument(verb, "run", &options.run, kRunHelp);
  verb.argument("text", &options.text, "The note (default: print the run's notes)").type("TEXT");
  verb.flag("--remove", &options.remove, "Print the last note and remove it");
  add_workspace_option(verb, &options.workspace);
  verb.footer(R"text(Examples:
  lcsm note 3f9c 'diverged on the old data; see the log of Tuesday'
  lcsm note 3f9c
  lcsm note 3f9c --remove

Notes are kept as text files in `notes/` of the run's folder, named after their time (UTC), and
`lcsm show` prints them.)text");
}

}  // namespace runner
