// `lcsm gc`: removes checkpoints that no run needs.
#include "results/store/gc.h"

#include <fmt/format.h>

#include <map>

#include "results/events/run_folder.h"
#include "results/text/escape.h"
#include "runner/front/options/results_verb.h"
#include "runner/front/verbs/verbs.h"
#include "runner/sweeps/plan/run_states.h"
#include "runner/workspace/claim_watch.h"

namespace runner {
namespace {

constexpr const char* kGcFooter = R"text(Examples:
  lcsm gc                what would be removed, and its size
  lcsm gc --yes          remove it

A finished run keeps its last and best checkpoints; any other run keeps its last two and its best.
Event files, configurations, logs and whole runs are never removed. Runs in training are
skipped.)text";

struct GcOptions {
  std::string workspace;
  bool yes = false;
};

// Leaves out claimed runs: a process of another host holds no lock here.
void pass_over_claimed(results::Database& database, const std::filesystem::path& workspace,
                       results::GarbageReport* report) {
  const RunStates states = run_states(database, workspace);
  std::map<std::string, std::string> claimed;
  for (const results::Garbage& one : report->found)
    if (!one.run.empty() && state_of(states, one.run) != results::RunState::kDone &&
        !claimed.contains(one.run))
      claimed[one.run] = claim_in_the_way(results::run_folder(workspace, one.run));
  std::erase_if(report->found, [&](const results::Garbage& one) {
    return !one.run.empty() && !claimed[one.run].empty();
  });
  for (const auto& [run, claim] : claimed)
    if (!claim.empty()) report->passed_over.push_back("runs/" + run + " is " + claim);
}

void gc(const GcOptions& options) {
  const auto workspace = workspace_of(options.workspace);
  const auto database = open_results(workspace);
  results::GarbageReport report = results::find_garbage(*database, workspace);
  pass_over_claimed(*database, workspace, &report);
  results::Grid grid{{"run", "path", "MiB", "why"}, {}};
  std::uintmax_t bytes = 0;
  const auto mebibytes = [](std::uintmax_t n) { return fmt::format("{:.1f}", n / 1048576.0); };
  for (const results::Garbage& one : report.found) {
    grid.rows.push_back({one.run.substr(0, 8), one.path, mebibytes(one.bytes), one.why});
    bytes += one.bytes;
  }
  if (!grid.rows.empty()) fmt::print("{}", grid_text(grid));
  for (const std::string& run : report.passed_over)
    fmt::print(stderr, "skipped: {}\n", results::safe_text(run));
  if (options.yes)
    fmt::print("{} MiB removed\n", mebibytes(results::remove_garbage(workspace, report.found)));
  else
    fmt::print("{} MiB can be removed{}\n", mebibytes(bytes),
               report.found.empty() ? "" : "; nothing was changed: use --yes to remove it");
}

}  // namespace

void add_gc(Verb& program) {
  Verb& verb = program.verb("gc", "Remove checkpoints that no run needs");
  GcOptions& options = verb.runs(gc);
  verb.flag("--yes", &options.yes, "Remove them (default: only list them)");
  add_workspace_option(verb, &options.workspace);
  verb.footer(kGcFooter);
}

}  // namespace runner
