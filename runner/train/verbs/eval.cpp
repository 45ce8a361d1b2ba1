// `lcsm-train eval`: evaluates checkpoints on data that they were not trained for.
#include <fmt/format.h>

#include <map>

#include "lcsm/base/allowance.h"
#include "lcsm/files/whole_file.h"
#include "results/events/event_writer.h"
#include "runner/base/process/command.h"
#include "runner/base/process/exit_code.h"
#include "runner/base/process/stderr_text.h"
#include "runner/base/text/counts.h"
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

Lists are crossed. Results are stored in the run's folder; a new one replaces the one with the same
settings, split and checkpoint. `lcsm table --columns @task.length` and the view `evaluated` of
results.db show them. `lcsm eval` also accepts sweeps.)text";

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

// Evaluates all runs even if one fails; prints equal failures once. Returns the exit code of the
// first failure.
int evaluate(const EvalOptions& options) {
  const fs::path workspace = workspace_folder(options.workspace);
  const Split split = options.split == "valid" ? Split::kValid : Split::kTest;
  use_threads(threads_of(options.settings));
  ExitCode status = ExitCode::kDone;
  std::map<std::string, int> failures;  // how often, by message
  const auto failed = [&](ExitCode code, const std::string& id, const std::string& what) {
    if (failures[what]++ == 0)
      print_safe(fmt::format("lcsm-train eval: {}: {}\n", id.substr(0, 8), what));
    if (status == ExitCode::kDone) status = code;
  };
  std::vector<std::string> ids;
  for (const std::string& start : options.runs) ids.push_back(run_that_begins(workspace, start));
  for (const std::string& id : ids)
    for (const std::vector<std::string>& settings : crossed(options.settings)) try {
        print(id, evaluate_run(workspace, id, {settings, split, options.checkpoint}));
      } catch (const DataMissing& error) {
        failed(ExitCode::kMissing, id, error.what());
      } catch (const std::invalid_argument& error) {
        failed(ExitCode::kUsage, id, error.what());
      } catch (const lcsm::WriteError& error) {
        failed(ExitCode::kOutput, id, error.what());
      } catch (const std::runtime_error& error) {
        failed(ExitCode::kFailed, id, error.what());
      }
  for (const auto& [what, times] : failures)
    if (times > 1)
      print_safe(fmt::format("lcsm-train eval: the same of {}: {}\n",
                             counted(times - 1, "more run"), first_line(what)));
  return static_cast<int>(status);
}

}  // namespace

void add_train_eval(Verb& program) {
  Verb& verb = program.verb("eval", "Evaluate checkpoints at other lengths or on other data");
  EvalOptions& options = verb.runs(evaluate);
  verb.argument("runs", &options.runs, "First digits of run ids").type("RUN").required();
  verb.option("--set", &options.settings,
              "Override a key of the task or of eval, or system.chunk; a list is crossed: "
              "task.length=[64,128]")
      .type("KEY=VALUE");
  verb.option("--split", &options.split, "The split to evaluate")
      .choices({{"test"}, {"valid"}})
      .default_shown();
  verb.option("--checkpoint", &options.checkpoint, "best, last or a step")
      .type("STEP")
      .default_shown();
  verb.option("--workspace", &options.workspace, kWorkspaceHelp).type("DIR");
  verb.footer(kEvalFooter);
}

}  // namespace runner
