#include <fmt/format.h>

#include "lcsm/base/allowance.h"
#include "lcsm/base/revision.h"
#include "results/events/event_writer.h"
#include "runner/base/files/toml_file.h"
#include "runner/base/process/run_end.h"
#include "runner/base/process/stderr_text.h"
#include "runner/config/keys/run_keys.h"
#include "runner/config/run/run_config.h"
#include "runner/config/run/run_id.h"
#include "runner/data/own/own_data.h"
#include "runner/data/tasks/data_search.h"
#include "runner/train/trainer/threads.h"
#include "runner/train/trainer/training.h"
#include "runner/train/trainer/training_failure.h"
#include "runner/train/verbs/train_verbs.h"
#include "runner/workspace/folder.h"

namespace runner {
namespace {

using results::RunState;

struct RunOptions {
  std::string file, workspace;
  std::vector<std::string> settings;
  std::int64_t claim = 0;
};

std::string footer() {
  std::string text = "The run resumes from its newest checkpoint if it has one. Exit codes:\n";
  for (const RunEndRow& row : kRunEnds)
    text += fmt::format("  {}  {:<18} {}\n", exit_status_of(row.state), name_of(row.state),
                        row.meaning);
  return text +
         "Examples:\n  lcsm-train run my.toml --set seed=2\n"
         "  lcsm-train run --set task.name=mqar --set model.family=attention";
}

void complain(const std::string& text) { print_safe("lcsm-train run: " + text + "\n"); }

RunConfig read_config(const RunOptions& options, const std::filesystem::path& workspace) {
  const std::string text = options.file.empty() ? "" : read_toml_file(options.file);
  RunConfig config = parse_config(text, options.file, options.settings, complain);
  for (const std::string& note : config.notes()) complain(note);
  pin_data(config, workspace);
  return config;
}

// `lcsm` made the claim in the folder that has the run's id. A build with other defaults would
// train another run.
void check_id(const RunConfig& config, const std::string& file) {
  const std::string expected = std::filesystem::absolute(file).parent_path().filename();
  const std::string got = run_id(config);
  if (got != expected)
    throw std::invalid_argument(file + ": expected the configuration of run " +
                                expected.substr(0, 8) + ", got that of run " + got.substr(0, 8) +
                                ": lcsm and this lcsm-train " + lcsm::revision_text() +
                                " are of different versions: build both again");
}

void set_threads(const RunConfig& config) {
  const std::int64_t wanted = config.integer("run.threads"_key);
  use_threads(wanted > 0 ? static_cast<int>(wanted) : lcsm::read_allowance().cores());
}

RunState run(const RunOptions& options) {
  try {
    const std::filesystem::path workspace = workspace_folder(options.workspace);
    const RunConfig config = read_config(options, workspace);
    if (options.claim > 0) check_id(config, options.file);
    set_threads(config);
    return train_run(config, workspace, options.claim);
  } catch (const DataMissing& error) {
    complain(error.what());
    return RunState::kDataMissing;
  } catch (const results::BeingWritten& error) {
    complain(error.what());
    return RunState::kBusy;
  } catch (const std::invalid_argument& error) {
    complain(error.what());
    return RunState::kConfiguration;
  } catch (const std::exception&) {
    const TrainingFailure failure = current_failure();
    complain(failure.message);
    return failure.end;
  }
}

int exit_status(const RunOptions& options) { return exit_status_of(run(options)); }

}  // namespace

void add_run(Verb& program) {
  Verb& verb = program.verb("run", "Train one run, or resume it");
  RunOptions& options = verb.runs(exit_status);
  verb.argument("file", &options.file, "A run's configuration file").type("FILE").existing_file();
  verb.option("--set", &options.settings, "Override a value of the file").type("KEY=VALUE");
  verb.option("--workspace", &options.workspace, kWorkspaceHelp).type("DIR");
  verb.option("--claim", &options.claim,
              "The number of the claim made for this process (default: make one)")
      .type("N")
      .range(1, 1'000'000'000);
  verb.footer(footer());
}

}  // namespace runner
