// `lcsm rebuild`: rebuilds results.db from the run folders.
#include <fmt/format.h>

#include "runner/base/process/exit_code.h"
#include "runner/base/text/counts.h"
#include "runner/front/options/results_verb.h"
#include "runner/front/verbs/verbs.h"
#include "runner/workspace/folder.h"

namespace runner {
namespace {

void rebuild(const std::string& given) {
  const std::filesystem::path workspace = workspace_of(given);
  if (!is_workspace(workspace))
    throw Failure(ExitCode::kMissing, fmt::format("expected a workspace with runs/ at {}, got none",
                                                  workspace.string()));
  const results::FoldReport report = results::rebuild(workspace, fold_options());
  print_left_out(report);
  fmt::print("{}, {}\n",
             counted(report.runs - static_cast<std::int64_t>(report.refused.size()), "run"),
             counted(report.metric_rows, "metric row"));
  std::fflush(stdout);
  if (!report.refused.empty()) throw Failure(ExitCode::kFailed, "");
}

}  // namespace

void add_rebuild(Verb& program) {
  Verb& verb = program.verb("rebuild", "Rebuild results.db from the run folders");
  std::string& workspace = verb.runs(rebuild);
  add_workspace_option(verb, &workspace);
  verb.footer(
      "The old database may be damaged, missing, or of another version.\n"
      "Exit code 1: a run was refused; the others are in the database.\n\n"
      "Examples:\n  lcsm rebuild\n  lcsm rebuild --workspace DIR");
}

}  // namespace runner
