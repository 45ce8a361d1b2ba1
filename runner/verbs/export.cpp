// `lcsm export`: runs by parameters and final metrics, for other programs.
#include <fmt/format.h>

#include "results/store/run_facts.h"
#include "runner/front/result_candidates.h"
#include "runner/front/results_verb.h"
#include "runner/front/sweep_verb.h"
#include "runner/show/scope.h"
#include "runner/verbs/verbs.h"

namespace runner {
namespace {

struct Options {
  results::ExportOptions what{"", "last"};
  SweepRequest request{.scale = ""};
  std::string format = "csv", workspace;
};

void export_all(const Options& options) {
  SweepRequest request = options.request;
  request.workspace = workspace_of(options.workspace);
  const auto database = current_results(request.workspace);
  results::ExportOptions what = options.what;
  if (!what.sweep.empty()) {
    Scope scope;
    what.sweep = find_views(what.sweep, request, *database, &scope).sweep;
    what.only = std::move(scope.only);
  }
  const results::Grid grid = results::export_runs(*database, what);
  fmt::print("{}", options.format == "csv" ? results::csv_of(grid) : results::json_lines_of(grid));
}

}  // namespace

void add_export(Verb& program) {
  Verb& verb = program.verb("export", "Print a row for each run: its parameters and final metrics");
  Options& options = verb.runs(export_all);
  verb.option("--sweep", &options.what.sweep, "Only the points of this sweep, or its file")
      .type("SWEEP")
      .completes(sweep_candidates);
  add_request_options(verb, &options.request);
  verb.option("--metrics", &options.what.reduce, "Which value of each metric")
      .choices({{"last"}, {"lowest"}, {"highest"}});
  verb.option("--format", &options.format, "Output format")
      .choices({{"csv"}, {"jsonl", "one JSON object per line"}});
  add_workspace_option(verb, &options.workspace);
  verb.footer(
      "Examples:\n  lcsm export > runs.csv\n  lcsm export --sweep quickstart --format jsonl");
}

}  // namespace runner
