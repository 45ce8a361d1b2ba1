// `lcsm export`: one table of runs x parameters and final metrics, for other programs.
#include <fmt/format.h>

#include "results/store/run_facts.h"
#include "runner/front/completion.h"
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

void add_export(CLI::App& app) {
  CLI::App* verb =
      app.add_subcommand("export", "Print a row for each run: its parameters and final metrics");
  const auto options = std::make_shared<Options>();
  verb->add_option("--sweep", options->what.sweep, "Only the runs of this sweep")
      ->type_name("NAME");
  one_of(verb->add_option("--metrics", options->what.reduce, "Which value of each metric"),
         {{"last", ""}, {"lowest", ""}, {"highest", ""}})
      ->capture_default_str();
  one_of(verb->add_option("--format", options->format, "How to print it"),
         {{"csv", ""}, {"jsonl", "one JSON object a line"}})
      ->capture_default_str();
  add_workspace_option(verb, &options->workspace);
  verb->footer(
      "Examples:\n  lcsm export > runs.csv\n  lcsm export --sweep quickstart --format jsonl");
  verb->callback([options] { export_all(*options); });
}

}  // namespace runner
