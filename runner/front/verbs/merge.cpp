// `lcsm merge`: copies the runs of other workspaces into this one.
#include "results/store/merge.h"

#include <fmt/format.h>

#include "results/text/escape.h"
#include "runner/base/process/exit_code.h"
#include "runner/base/text/counts.h"
#include "runner/front/options/results_verb.h"
#include "runner/front/verbs/verbs.h"
#include "runner/workspace/claim_watch.h"

namespace runner {
namespace {

namespace fs = std::filesystem;

struct MergeOptions {
  std::vector<std::string> others;
  std::string workspace;
};

void say_all(const char* what, const std::vector<std::string>& lines) {
  for (const std::string& line : lines)
    fmt::print(stderr, "{}: {}\n", what, results::safe_text(line));
}

void merge(const MergeOptions& options) {
  const fs::path workspace = workspace_of(options.workspace);
  std::vector<fs::path> others;
  for (const std::string& other : options.others) {
    if (!fs::is_directory(fs::path(other) / "runs"))
      throw Failure(ExitCode::kMissing,
                    fmt::format("expected a workspace with runs/ at {}, got none{}", other,
                                meant_workspace(other)));
    others.emplace_back(other);
  }
  const results::MergeReport report =
      results::merge(workspace, others, fold_options(), claim_in_the_way);
  say_all("refused", report.refused);
  say_all("two histories", report.parted);
  say_all("finished twice", report.twice);
  print_left_out(report.fold);
  fmt::print("{} copied, {} already here, {} refused\n", counted(report.taken, "run"), report.kept,
             report.refused.size());
  std::fflush(stdout);
  if (!report.refused.empty() || !report.parted.empty()) throw Failure(ExitCode::kFailed, "");
}

}  // namespace

void add_merge(Verb& program) {
  Verb& verb = program.verb("merge", "Copy the runs of other workspaces into this one");
  MergeOptions& options = verb.runs(merge);
  verb.argument("others", &options.others, "Workspaces: folders that hold runs/")
      .type("DIR")
      .required();
  add_workspace_option(verb, &options.workspace);
  verb.footer(
      "The order of the workspaces does not matter, and merging again changes nothing. If two\n"
      "have the same run, a finished copy is kept, or else the one with more events. Runs in\n"
      "training here stay. Exit code 1: an unfinished run was continued in two places, or a run\n"
      "was refused.\n\n"
      "Examples:\n  lcsm merge laptop-workspace cluster-workspace");
}

}  // namespace runner
