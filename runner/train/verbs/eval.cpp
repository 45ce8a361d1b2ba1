// `lcsm-train eval`: checkpoints on other data than their own.
#include <fmt/format.h>

#include "lcsm/base/allowance.h"
#include "results/events/event_writer.h"
#include "runner/base/process/exit_code.h"
#include "runner/base/process/stderr_text.h"
#include "runner/config/toml/config_mistakes.h"
#include "runner/data/tasks/data_search.h"
#include "runner/train/trainer/evaluation.h"
#include "runner/train/trainer/threads.h"
#include "runner/train/verbs/run_argument.h"
#include "runner/train/verbs/train_verbs.h"
#include "runner/workspace/folder.h"

namespace runner {
namespace {

namespace fs = std::filesystem;

struct EvalOptions {
  std::vector<std::string> runs, settings;
  std::string split = "test", checkpoint = "best", workspace;
};

constexpr const char* kEvalFooter = R"text(Examples:
  lcsm-train eval 3f9c --set 'task.length=[64,128,256]'
  lcsm-train eval 3f9c --set task.name=text --set task.path=other.txt --split valid

Lists are crossed. Each result is kept in the run's folder, and replaced by another of the same
settings, split and checkpoint: `lcsm table --columns @task.length` and the view `evaluated` of
results.db have them. `lcsm eval` takes sweeps, too.)text";

int threads_of(const std::vector<std::string>& settings) {
  int threads = 0;
  for (const std::string& setting : settings)
    if (setting.starts_with("run.threads=")) threads = std::atoi(setting.c_str() + 12);
  return threads > 0 ? threads : lcsm::read_allowance().cores();
}

void print(const std::string& id, const results::Evaluation& evaluation) {
  fmt::print("{}  step {}  {}", id.substr(0, 8), evaluation.step,
             evaluation.settings.empty() ? "as trained" : evaluation.settings);
  for (const auto& [metric, value] : evaluation.metrics) fmt::print("  {} {:.6g}", metric, value);
  fmt::print("\n");
  std::fflush(stdout);
}

// All of them, whatever happens to one. Returns the status of the first that failed.
int evaluate(const EvalOptions& options) {
  const fs::path workspace = workspace_folder(options.workspace);
  const Split split = options.split == "valid" ? Split::kValid : Split::kTest;
  use_threads(threads_of(options.settings));
  ExitCode status = ExitCode::kDone;
  const auto failed = [&](ExitCode code, const std::string& id, const std::string& what) {
    print_safe(fmt::format("lcsm-train eval: {}: {}\n", id.substr(0, 8), what));
    if (status == ExitCode::kDone) status = code;
  };
  std::vector<std::string> ids;
  for (const std::string& start : options.runs) ids.push_back(run_that_begins(workspace, start));
  for (const std::string& id : ids)
    for (const std::vector<std::string>& settings : crossed(options.settings)) try {
        print(id, evaluate_run(workspace, id, {settings, split, options.checkpoint}));
      } catch (const ConfigError& error) {
        failed(ExitCode::kUsage, id, error.what());
      } catch (const DataMissing& error) {
        failed(ExitCode::kMissing, id, error.what());
      } catch (const std::invalid_argument& error) {
        failed(ExitCode::kUsage, id, error.what());
      } catch (const std::runtime_error& error) {
        failed(ExitCode::kFailed, id, error.what());
      }
  return static_cast<int>(status);
}

}  // namespace

void add_train_eval(Verb& program) {
  Verb& verb = program.verb("eval", "Evaluate checkpoints at other lengths, on other data");
  EvalOptions& options = verb.runs(evaluate);
  verb.argument("runs", &options.runs, "The first digits of ids").type("RUN").required();
  verb.option("--set", &options.settings, "A value of the task, or a list: task.length=[64,128]")
      .type("KEY=VALUE")
      .one_at_a_time();
  verb.option("--split", &options.split, "Which examples").choices({{"test"}, {"valid"}});
  verb.option("--checkpoint", &options.checkpoint, "best, last or a step").type("STEP");
  verb.option("--workspace", &options.workspace, "The workspace (default: ./workspace)")
      .type("DIR");
  verb.footer(kEvalFooter);
}

}  // namespace runner
