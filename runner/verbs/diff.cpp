// `lcsm diff`: what differs between two runs.
#include "results/store/run_facts.h"
#include "runner/front/results_verb.h"
#include "runner/plan/run_choice.h"
#include "runner/verbs/verbs.h"

namespace runner {
namespace {

constexpr const char* kSchema = "lcsm.diff/1";

struct Options {
  std::string first, second, workspace, format;
};

void diff(const Options& options) {
  const auto workspace = workspace_of(options.workspace);
  const auto database = current_results(workspace);
  const auto facts = [&](const std::string& run) {
    return results::facts_of(*database, find_run(*database, workspace, run));
  };
  print_grid(results::difference(facts(options.first), facts(options.second)), options.format,
             kSchema);
}

}  // namespace

void add_diff(Verb& program) {
  Verb& verb =
      program.verb("diff", "Show what differs between two runs: parameters, environment, metrics");
  Options& options = verb.runs(diff);
  add_run_argument(verb, "first", &options.first, kRunHelp);
  add_run_argument(verb, "second", &options.second, "The other run's");
  add_format_option(verb, &options.format, kSchema);
  add_workspace_option(verb, &options.workspace);
  verb.footer("Examples:\n  lcsm diff 3f9c 81ab\n  lcsm diff 3f9c 81ab --format md");
}

}  // namespace runner
