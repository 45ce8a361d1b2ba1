// `lcsm diff`: compares two runs.
#include <fmt/format.h>

#include "results/store/run_facts.h"
#include "runner/front/options/results_verb.h"
#include "runner/front/verbs/verbs.h"
#include "runner/sweeps/plan/run_choice.h"

namespace runner {
namespace {

constexpr const char* kDiffSchema = "lcsm.diff/1";

struct DiffOptions {
  std::string first, second, workspace, format;
};

void diff(const DiffOptions& options) {
  const auto workspace = workspace_of(options.workspace);
  const auto database = open_results(workspace);
  const auto facts = [&](const std::string& run) {
    return results::facts_of(*database, find_run(*database, workspace, run));
  };
  const results::Grid grid = results::difference(facts(options.first), facts(options.second));
  print_grid(grid, options.format, kDiffSchema);
  if (grid.rows.empty()) fmt::print(stderr, "the runs are equal\n");
}

}  // namespace

void add_diff(Verb& program) {
  Verb& verb = program.verb("diff", "Compare two runs: parameters, environment, metrics");
  DiffOptions& options = verb.runs(diff);
  add_run_argument(verb, "first", &options.first, kRunHelp);
  add_run_argument(verb, "second", &options.second, "The run to compare with");
  add_format_option(verb, &options.format, kDiffSchema);
  add_workspace_option(verb, &options.workspace);
  verb.footer("Examples:\n  lcsm diff 3f9c 81ab\n  lcsm diff 3f9c 81ab --format md");
}

}  // namespace runner
