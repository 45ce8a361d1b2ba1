// `lcsm eval` and `lcsm sample`: call these verbs of lcsm-train, with runs named in any way.
#include <fmt/format.h>

#include <stdexcept>

#include "results/events/run_folder.h"
#include "runner/base/cli/sample_options.h"
#include "runner/front/options/results_verb.h"
#include "runner/front/options/set_option.h"
#include "runner/front/options/sweep_verb.h"
#include "runner/front/verbs/become_trainer.h"
#include "runner/front/verbs/verbs.h"
#include "runner/sweeps/plan/run_choice.h"

namespace runner {
namespace {

namespace fs = std::filesystem;

struct EvalOptions {
  RunChoice choice;
  std::vector<std::string> settings;
  std::string split = "test", checkpoint = "best", workspace;
};

// Runs that have a checkpoint and are not being trained.
std::vector<std::string> evaluable(const EvalOptions& options, const fs::path& workspace) {
  const auto database = open_results(workspace);
  const RunStates states = run_states(*database, workspace);
  std::vector<std::string> ids;
  std::size_t passed_over = 0;
  for (const ChosenRuns& chosen : chosen_runs(options.choice, *database, states, workspace))
    for (const ChosenRun& run : chosen.runs) {
      const bool ready = run.state != results::RunState::kRunning &&
                         fs::exists(results::run_folder(workspace, run.id) / "checkpoints");
      if (ready)
        ids.push_back(run.id);
      else
        ++passed_over;
    }
  if (passed_over > 0)
    fmt::print(stderr, "{} skipped: running, or without a checkpoint\n", passed_over);
  if (ids.empty())
    throw std::invalid_argument("expected runs with a checkpoint, got none: train them first");
  return ids;
}

void eval(const EvalOptions& options) {
  const fs::path workspace = workspace_of(options.workspace);
  const std::vector<std::string> ids = evaluable(options, workspace);
  std::vector<std::string> words = {"eval",        "--workspace",  workspace.string(), "--split",
                                    options.split, "--checkpoint", options.checkpoint};
  for (const std::string& setting : options.settings) words.insert(words.end(), {"--set", setting});
  words.insert(words.end(), ids.begin(), ids.end());
  become_trainer(std::move(words));
}

void sample(const SampleOptions& options) {
  const fs::path workspace = workspace_of(options.workspace);
  const auto database = open_results(workspace);
  std::vector<std::string> words = {"sample", find_run(*database, workspace, options.run),
                                    "--workspace", workspace.string()};
  for (std::string& word : sample_words(options)) words.push_back(std::move(word));
  become_trainer(std::move(words));
}

}  // namespace

void add_eval(Verb& program) {
  Verb& verb = program.verb("eval", "Evaluate trained runs at other lengths or on other data");
  EvalOptions& options = verb.runs(eval);
  add_runs(verb, &options.choice);
  add_set_option(verb, &options.settings,
                 "Override a key of the task or of eval, or system.chunk; a list is crossed: "
                 "task.length=[64,128]");
  verb.option("--split", &options.split, "The split to evaluate")
      .choices({{"test"}, {"valid"}})
      .default_shown();
  verb.option("--checkpoint", &options.checkpoint, "best, last or a step")
      .type("STEP")
      .default_shown();
  add_workspace_option(verb, &options.workspace);
  verb.footer(R"text(Examples:
  lcsm eval quickstart --set 'task.length=[32,48]'
  lcsm table quickstart --columns @task.length --values test.accuracy
  lcsm figure quickstart --x @task.length --y test.accuracy
  lcsm eval 3f9c --set task.name=text --set task.path=other.txt
  lcsm eval mega-figure6-context --set 'system.chunk=[32,64,128]'   what attention sees

Results are stored in the run's folder; `evaluated` in results.db has all of them.)text");
}

void add_sample(Verb& program) {
  Verb& verb = program.verb("sample", "Continue or translate a text with a trained model");
  SampleOptions& options = verb.runs(sample);
  add_run_argument(verb, "run", &options.run, kRunHelp);
  declare_sample(verb, &options);
  add_workspace_option(verb, &options.workspace);
  verb.footer(R"text(Examples:
  lcsm sample 3f9c --prompt "The king"
  lcsm sample 'model.code=1-9-1-4, seed=1' --tokens 500 --temperature 0.8 --top 40
  lcsm sample 3f9c --prompt "The king" --samples 3

On one host, the same seed gives the same text.)text");
}

}  // namespace runner
