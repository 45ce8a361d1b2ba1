// `lcsm export`: runs by parameters and final metrics, for other programs.
#include <fmt/format.h>

#include "results/store/run_facts.h"
#include "runner/front/results_verb.h"
#include "runner/verbs/verbs.h"

namespace runner {
namespace {

struct Options {
  results::ExportOptions what{"", "last"};
  std::string format = "csv", workspace;
};

void export_all(const Options& options) {
  const auto database = current_results(workspace_of(options.workspace));
  const results::Grid grid = results::export_runs(*database, options.what);
  fmt::print("{}", options.format == "csv" ? results::csv_of(grid) : results::json_lines_of(grid));
}

}  // namespace

void add_export(Verb& program) {
  Verb& verb = program.verb("export", "Print a row for each run: its parameters and final metrics");
  Options& options = verb.runs(export_all);
  verb.option("--sweep", &options.what.sweep, "Only the runs of this sweep").type("NAME");
  verb.option("--metrics", &options.what.reduce, "Which value of each metric")
      .choices({{"last"}, {"lowest"}, {"highest"}});
  verb.option("--format", &options.format, "Output format")
      .choices({{"csv"}, {"jsonl", "one JSON object per line"}});
  add_workspace_option(verb, &options.workspace);
  verb.footer(
      "Examples:\n  lcsm export > runs.csv\n  lcsm export --sweep quickstart --format jsonl");
}

}  // namespace runner
