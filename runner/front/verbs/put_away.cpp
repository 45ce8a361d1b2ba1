// `lcsm archive` moves runs out of the workspace; `lcsm forget` deletes them.
#include <fmt/format.h>

#include <functional>
#include <set>

#include "results/events/run_folder.h"
#include "results/files/size_on_disk.h"
#include "results/store/removal.h"
#include "results/text/escape.h"
#include "runner/base/process/exit_code.h"
#include "runner/base/text/counts.h"
#include "runner/front/options/results_verb.h"
#include "runner/front/options/sweep_verb.h"
#include "runner/front/verbs/verbs.h"
#include "runner/workspace/claim_watch.h"

namespace runner {
namespace {

namespace fs = std::filesystem;

struct PutAwayOptions {
  RunChoice choice;
  std::string workspace, archive;
  bool yes = false;
};

struct Leaving {
  std::vector<ChosenRun> runs;
  std::set<std::string> sweeps;
  std::uintmax_t bytes = 0;
};

constexpr std::size_t kLeastDigits = 4;  // of an id: a single one is easily mistyped

std::string mebibytes(std::uintmax_t bytes) { return fmt::format("{:.1f}", bytes / 1048576.0); }

// Lists the runs to archive or delete.
Leaving leaving(const PutAwayOptions& options, const fs::path& workspace) {
  const auto database = open_results(workspace);
  const RunStates states = run_states(*database, workspace);
  Leaving all;
  std::set<std::string> seen;
  results::Grid grid{{"run", "code", "lr", "seed", "state", "MiB"}, {}};
  results::Statement about(*database, "SELECT code, lr, seed FROM overview WHERE id = ?");
  for (const ChosenRuns& chosen : chosen_runs(options.choice, *database, states, workspace)) {
    if (!chosen.several && chosen.word.size() < kLeastDigits)
      throw std::invalid_argument("expected at least the first " + std::to_string(kLeastDigits) +
                                  " digits of a run's id, got '" + chosen.word + "', which is " +
                                  chosen.runs.front().id);
    for (const ChosenRun& run : chosen.runs) {
      const fs::path folder = results::run_folder(workspace, run.id);
      if (!fs::is_directory(folder) || !seen.insert(run.id).second) continue;
      const std::uintmax_t bytes = results::size_on_disk(folder);
      about.bind_all(run.id);
      const bool known = about.step();
      grid.rows.push_back({run.id.substr(0, 8), known ? about.text(0) : "",
                           known ? about.text(1) : "", known ? about.text(2) : "",
                           std::string(name_of(run.state)), mebibytes(bytes)});
      about.reset();
      try {
        for (const results::SweepMark& mark : results::read_marks(folder))
          all.sweeps.insert(mark.sweep);
      } catch (const std::invalid_argument&) {  // a damaged mark keeps no run here
      }
      all.bytes += bytes;
      all.runs.push_back(run);
    }
  }
  if (!grid.rows.empty()) fmt::print("{}", grid_text(grid));
  return all;
}

// Changes nothing unless --yes is given.
void put_away(const PutAwayOptions& options, const fs::path& workspace, const std::string& what,
              const std::function<void(const std::string& id)>& put_one_away) {
  const Leaving all = leaving(options, workspace);
  std::int64_t done = 0;
  std::uintmax_t bytes = 0;
  for (const ChosenRun& run : all.runs) try {
      if (!options.yes) continue;
      const fs::path folder = results::run_folder(workspace, run.id);
      const bool trained = run.state == results::RunState::kDone;
      if (const std::string claim = trained ? "" : claim_in_the_way(folder); !claim.empty())
        throw std::runtime_error("run " + run.id + " is " + claim);
      const std::uintmax_t size = results::size_on_disk(folder);
      put_one_away(run.id);
      ++done;
      bytes += size;
    } catch (const std::exception& error) {
      fmt::print(stderr, "skipped: {}\n", results::safe_text(error.what()));
    }
  const std::string runs = counted(all.runs.size(), "run");
  const bool some = options.yes && done < std::ssize(all.runs);
  fmt::print("{}{}, {} MiB{} {}{}\n", some ? fmt::format("{} of ", done) : "", runs,
             mebibytes(options.yes ? bytes : all.bytes), options.yes ? "" : " would be", what,
             options.yes || all.runs.empty() ? "" : "; nothing was changed: use --yes to do it");
  std::fflush(stdout);
  if (!options.yes || done > 0)
    for (const std::string& sweep : all.sweeps)
      fmt::print(stderr, "the next `lcsm run` of {} trains its points again\n", sweep);
  if (some) throw Failure(ExitCode::kFailed, "");
}

void archive(const PutAwayOptions& options) {
  const fs::path workspace = workspace_of(options.workspace);
  const fs::path place =
      options.archive.empty() ? workspace / "archive" : fs::path(options.archive);
  const fs::path inside =
      fs::weakly_canonical(fs::absolute(place)).lexically_relative(fs::weakly_canonical(workspace));
  if (inside == "." || *inside.begin() == results::kRunsFolder)
    throw std::invalid_argument(
        "expected --to with a folder other than the workspace and its runs/, got " +
        place.string());
  put_away(options, workspace, "moved to " + place.string(),
           [&](const std::string& id) { results::archive_run(workspace, place, id); });
}

void forget(const PutAwayOptions& options) {
  const fs::path workspace = workspace_of(options.workspace);
  put_away(options, workspace, "removed for good",
           [&](const std::string& id) { results::forget_run(workspace, id); });
}

void add_options(Verb& verb, PutAwayOptions* options) {
  add_run_choice(verb, &options->choice);
  verb.flag("--yes", &options->yes, "Do it (default: only print what would be done)");
  add_workspace_option(verb, &options->workspace);
}

}  // namespace

void add_archive(Verb& program) {
  Verb& verb = program.verb("archive", "Move runs out of the workspace");
  PutAwayOptions& options = verb.runs(archive);
  add_options(verb, &options);
  verb.option("--to", &options.archive, "The destination (default: archive/ in the workspace)")
      .type("DIR");
  verb.footer(R"text(Examples:
  lcsm archive 3f9c                        what would be moved
  lcsm archive 'tag=old' --yes
  lcsm table --workspace workspace/archive
  lcsm merge workspace/archive             copies them back

An archive is a workspace like any other. A run leaves the workspace only when its copy in the
archive is complete and on disk. Runs in training stay.)text");
}

void add_forget(Verb& program) {
  Verb& verb = program.verb("forget", "Delete runs permanently");
  PutAwayOptions& options = verb.runs(forget);
  add_options(verb, &options);
  verb.footer(R"text(Examples:
  lcsm forget 3f9c                         what would be removed
  lcsm forget 'state=diverged' --yes

Runs in training stay. To keep runs elsewhere instead, use `lcsm archive`.)text");
}

}  // namespace runner
