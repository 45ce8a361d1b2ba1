// `lcsm log`: what a run said, in order.
#include <fmt/chrono.h>
#include <fmt/format.h>

#include <fstream>

#include "results/escape.h"
#include "results/run_facts.h"
#include "results/run_folder.h"
#include "runner/exit_code.h"
#include "runner/results_verb.h"
#include "runner/verbs.h"

namespace runner {
namespace {

struct Options {
  std::string run, workspace;
  bool standard_error = false;
};

std::string time_text(const results::Cell& seconds) {
  const auto* value = std::get_if<double>(&seconds);
  if (value == nullptr) return std::string(20, ' ');
  return fmt::format("{:%Y-%m-%dT%H:%M:%SZ}", fmt::gmtime(static_cast<std::time_t>(*value)));
}

void print_events(results::Database& database, const std::string& id) {
  for (const auto& row : results::log_of(database, id).rows)
    fmt::print("{}  {}  {:<12} {}\n", time_text(row[0]), results::cell_text(row[1]),
               results::plain_text(results::cell_text(row[2])),
               results::plain_text(results::cell_text(row[3])));
}

void print_standard_error(const std::filesystem::path& folder) {
  std::ifstream stream(folder / "stderr.log");
  if (!stream)
    throw Failure(ExitCode::kMissing,
                  fmt::format("expected {}, got none", (folder / "stderr.log").string()));
  for (std::string line; std::getline(stream, line);) fmt::print("{}\n", results::plain_text(line));
}

void log(const Options& options) {
  const auto workspace = workspace_of(options.workspace);
  const auto database = current_results(workspace);
  const std::string id = results::find_run(*database, options.run);
  if (options.standard_error)
    print_standard_error(results::run_folder(workspace, id));
  else
    print_events(*database, id);
}

}  // namespace

void add_log(CLI::App& app) {
  CLI::App* verb = app.add_subcommand("log", "Show what a run said: attempts, warnings, its end");
  const auto options = std::make_shared<Options>();
  add_run_argument(verb, "run", &options->run, "The run's id, or its start");
  verb->add_flag("--stderr", options->standard_error, "Print what it wrote on stderr instead");
  add_workspace_option(verb, &options->workspace);
  verb->footer("Examples:\n  lcsm log 3f9c\n  lcsm log 3f9c --stderr\n\nTimes are in UTC.");
  verb->callback([options] { log(*options); });
}

}  // namespace runner
