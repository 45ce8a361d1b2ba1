// `lcsm run`: brings a sweep to where its file says it should be.
#include <fmt/format.h>
#include <unistd.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <memory>
#include <unordered_map>

#include "lcsm/base/allowance.h"
#include "results/text/escape.h"
#include "runner/front/results_verb.h"
#include "runner/front/run_options.h"
#include "runner/front/sweep_verb.h"
#include "runner/host/machine.h"
#include "runner/panel/sweep_lines.h"
#include "runner/panel/sweep_panel.h"
#include "runner/plan/running_sweep.h"
#include "runner/process/exit_code.h"
#include "runner/process/process_facts.h"
#include "runner/process/signal_actions.h"
#include "runner/process/tell.h"
#include "runner/schedule/conductor.h"
#include "runner/show/scope.h"
#include "runner/show/views_text.h"
#include "runner/tasks/data_search.h"
#include "runner/text/duration.h"
#include "runner/verbs/on_finish.h"
#include "runner/verbs/verbs.h"
#include "runner/workspace/folder.h"
#include "runner/workspace/run_lock.h"

namespace runner {
namespace {

namespace fs = std::filesystem;
using results::RunState;

struct Options {
  SweepChoice choice;
  std::string workspace, trainer;
  Policy policy;
  RunBudget budget;
  bool retry = false, plain = false;
  std::string on_finish;
};

constexpr std::size_t kMostShown = 1000;  // points: of more a terminal is not filled unasked

constexpr const char* kFooter = R"text(Examples:
  lcsm run quickstart                       what is missing starts, what is done stays
  lcsm run quickstart --jobs 1
  lcsm run table4-o-types --scale laptop --max-fails 3
  lcsm run quickstart --retry               failed runs once more
  lcsm run quickstart --gpus all --jobs 8   on GPUs, their number shared out among them
  lcsm run quickstart --timeout 2h          no run takes longer at a stretch
  lcsm run quickstart --on-finish 'notify-send "$LCSM_SWEEP: $LCSM_STATUS, $LCSM_FAILED failed"'

Ctrl-C once: each run writes a checkpoint and ends; twice: they are killed. Run it again to go on.
On a terminal a panel shows it; its last line names the keys. From another terminal: lcsm watch,
status, jobs, cancel, retry, why, log -f. When it is over, the sweep's tables, claims and figures
are printed there, as lcsm table and lcsm figure print them.

--on-finish finds LCSM_SWEEP, LCSM_STATUS (done, failed, interrupted, nothing-to-do) and the numbers
LCSM_DONE, LCSM_FAILED, LCSM_LEFT in its environment. How it ends changes no exit code.)text";

// A run that somebody else trains is waited for.
bool starts(const PlannedRun& run, const Options& options) {
  return run.to_do() || run.state == RunState::kRunning || (options.retry && has_failed(run.state));
}

// The runs of the plan that are to be started, with their configurations, and those that start only
// when a user requests it meanwhile. None to start: none at all.
std::vector<RunToDo> to_do(const SweepFile& sweep, const Options& options, const SweepPlan& plan) {
  std::unordered_map<std::string, const PlannedRun*> wanted;
  bool any = false;
  for (const PlannedRun& run : plan.runs) {
    if (run.state != RunState::kDone) wanted.emplace(run.point.id, &run);
    any = any || starts(run, options);
  }
  std::vector<RunToDo> runs;
  if (!any) return runs;
  expand(sweep, options.choice.request, [&](const Point& point, const RunConfig& config) {
    const auto found = wanted.find(point.id);
    if (found == wanted.end()) return;
    const PlannedRun& run = *found->second;
    runs.push_back({{point.id, run.seconds, run.memory_bytes, run.last,
                     run.state == RunState::kCancelled, starts(run, options)},
                    describe_point(plan.expansion.axes, point.steps),
                    toml_text(config, false),
                    static_cast<int>(config.integer("run.threads"))});
  });
  return runs;
}

// Runs that another sweep has brought about are points of this one too.
void mark_points(const fs::path& workspace, const SweepPlan& plan, const results::SweepMark& mark) {
  for (const PlannedRun& run : plan.runs) {
    if (run.state == RunState::kNew) continue;
    const fs::path folder = results::run_folder(workspace, run.point.id);
    if (!fs::exists(folder / results::kMarksFolder / (mark.sweep + ".json")))
      results::write_mark(folder, mark);
  }
}

void print_line(const std::string& line) { tell(line + "\n"); }

// Where nobody reads it the rest is done all the same; the program says so at its end.
void print_summary(const std::string& line) { std::fputs((line + "\n").c_str(), stdout); }

// Under a panel where there can be one: then what failed is in `bad`, to be told once more.
SweepRunResult run_shown(const std::vector<RunToDo>& runs, const SweepRunSettings& settings,
                         const SweepFile& sweep, const Options& options, const SweepPlan& plan,
                         std::vector<std::string>* bad) {
  if (options.plain || !can_hold_panel(STDERR_FILENO))
    return run_sweep(runs, settings, SweepLines(runs, print_line).watcher());
  PanelFeed feed(sweep, options.choice.request, plan, settings.workspace);
  SweepPanel panel(feed, runs, STDERR_FILENO);
  SweepLines lines(runs, [&](const std::string& line) { panel.say(line); });
  const SweepRunResult result = run_sweep(runs, settings, panel.watcher(lines.watcher()));
  *bad = lines.bad();
  return result;
}

// What came out, on a terminal.
void show(const Options& options, const SweepPlan& plan, results::Database& database) {
  if (!out_terminal().tty) return;
  if (plan.runs.size() > kMostShown)
    return print_line(
        fmt::format("lcsm run: `lcsm table {}` shows what came out", options.choice.name));
  try {
    const SweepViews views = find_views(options.choice.name, options.choice.request, database);
    fmt::print("\n{}", views_text(database, views, out_terminal()));
  } catch (const std::exception& error) {  // the runs are done all the same
    print_line(std::string("lcsm run: ") + error.what());
  }
}

fs::path trainer_of(const Options& options) {
  const fs::path path =
      options.trainer.empty() ? program_folder() / "lcsm-train" : fs::absolute(options.trainer);
  if (!fs::exists(path))
    throw Failure(ExitCode::kMissing, "expected the program that trains at " + path.string() +
                                          ", got none: build it, or name one with --trainer");
  return path;
}

// Of all points of the sweep: those that this `lcsm run` had, and the others as they were found.
RunCounts counts_of(const SweepPlan& plan, const std::vector<RunToDo>& runs,
                    const SweepRunResult& result) {
  std::unordered_map<std::string, RunState> states;
  for (std::size_t i = 0; i < runs.size(); ++i) states.emplace(runs[i].job.id, result.states[i]);
  RunCounts counts;
  for (const PlannedRun& run : plan.runs) {
    const auto found = states.find(run.point.id);
    counts.add(found == states.end() ? run.state : found->second);
  }
  return counts;
}

void finish(const Options& options, const SweepEnd& end) {
  if (options.on_finish.empty()) return;
  SignalActions closed_pipes;  // a command finds them as it is used to
  closed_pipes.set(SIGPIPE, SIG_DFL);
  std::fflush(stdout);
  const std::string trouble = run_on_finish(options.on_finish, end);
  if (!trouble.empty()) print_line("lcsm run: " + results::plain_text(trouble));
}

void judge(const SweepEnd& end) {
  if (end.stopped) throw Failure(ExitCode::kInterrupted, "stopped: the same command goes on");
  if (!end.all_done())
    throw Failure(
        ExitCode::kFailed,
        fmt::format("{} of {} runs are not done",
                    end.counts.of(RunState::kFailed) + end.counts.left(), end.counts.all()));
}

void run(const Options& options) {
  SignalActions closed_pipes;
  closed_pipes.set(SIGPIPE, SIG_IGN);
  const SweepFile sweep = chosen_sweep(options.choice);
  const fs::path workspace = fs::absolute(workspace_folder(options.workspace));
  fs::create_directories(workspace / results::kRunsFolder);
  const WorkspaceRunLock lock(workspace, sweep.name);
  forget_started(workspace);
  if (options.budget.jobs > 0) set_jobs(workspace, std::nullopt);
  const lcsm::Allowance allowed = lcsm::read_allowance();
  const std::vector<std::string> gpus = chosen_gpus(options.budget.gpus);
  const int slots = options.budget.jobs > 0 ? options.budget.jobs
                    : gpus.empty()          ? allowed.cores()
                                            : static_cast<int>(gpus.size());
  const SweepPlan plan =
      plan_sweep(sweep, options.choice.request, known_of(workspace), slots, allowed.cores());
  const results::SweepMark mark{sweep.name, sweep.title, sweep.paper};
  mark_points(workspace, plan, mark);
  write_running(workspace, sweep, options.choice.request, slots);
  const std::vector<RunToDo> runs = to_do(sweep, options, plan);
  if (runs.empty()) {
    const RunCounts counts = plan.counts();
    const std::size_t failed = counts.of(RunState::kFailed);
    const std::size_t cancelled = counts.of(RunState::kCancelled);
    if (out_terminal().tty) show(options, plan, *current_results(workspace));
    print_summary(fmt::format("{}: {} done{}, nothing to do", sweep.name,
                              counts.of(RunState::kDone),
                              cancelled > 0 ? fmt::format(", {} cancelled", cancelled) : ""));
    finish(options, {sweep.name, counts});
    if (failed > 0)
      throw Failure(ExitCode::kFailed, fmt::format("{} runs have failed before: --retry starts "
                                                   "them again",
                                                   failed));
    return;
  }
  SweepRunSettings settings{workspace,
                            trainer_of(options),
                            mark,
                            slots,
                            std::max(1, allowed.cores() / slots),
                            gpus,
                            limits_of(options.budget),
                            options.policy};
  settings.policy.memory_bytes = 0.9 * static_cast<double>(allowed.memory_free);
  print_line(fmt::format("lcsm run: {} runs to do, {} at a time, about {}", count_to_start(runs),
                         slots, duration_text(plan.eta_seconds)));
  std::vector<std::string> bad;
  const SweepRunResult result = run_shown(runs, settings, sweep, options, plan, &bad);
  const auto database = current_results(workspace);
  if (!result.stopped) show(options, plan, *database);
  for (const std::string& line : bad) print_line(line);
  const SweepEnd end{sweep.name, counts_of(plan, runs, result), true, result.stopped};
  print_summary(fmt::format("{}: {}", end.sweep, end.counts.summary()));
  finish(options, end);
  judge(end);
}

}  // namespace

void add_sweep_run(CLI::App& app) {
  CLI::App* verb = app.add_subcommand("run", "Run what a sweep says and is not done yet");
  const auto options = std::make_shared<Options>();
  add_sweep_options(verb, &options->choice);
  add_budget_options(verb, &options->budget);
  verb->add_option("--max-fails", options->policy.max_fails,
                   "Start nothing new after so many failed runs")
      ->check(CLI::Range(1, 1000000));
  verb->add_flag("--fail-fast", options->policy.fail_fast, "The first failed run ends the others");
  verb->add_option("--retries", options->policy.retries,
                   "Tries after one that may end otherwise the next time")
      ->check(CLI::Range(0, 100))
      ->capture_default_str();
  verb->add_flag("--retry", options->retry, "Start runs again that have failed before");
  verb->add_option("--on-finish", options->on_finish, "A command of the shell for when it is over")
      ->type_name("CMD");
  verb->add_flag("--plain", options->plain, "Lines instead of a panel");
  verb->add_option("--trainer", options->trainer, "The program to start (lcsm-train beside lcsm)")
      ->type_name("FILE");
  add_workspace_option(verb, &options->workspace);
  verb->footer(kFooter);
  verb->callback([options] {
    try {
      run(*options);
    } catch (const DataMissing& missing) {
      throw Failure(ExitCode::kMissing, missing.what());
    }
  });
}

}  // namespace runner
