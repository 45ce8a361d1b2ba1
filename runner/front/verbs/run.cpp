// `lcsm run`: runs a sweep; finished runs are kept.
#include <fmt/format.h>
#include <unistd.h>

#include <optional>
#include <stdexcept>
#include <string>
#include <unordered_map>

#include "lcsm/base/row_names.h"
#include "lcsm/files/whole_file.h"
#include "results/store/database.h"
#include "results/text/escape.h"
#include "runner/base/process/exit_code.h"
#include "runner/base/process/stderr_text.h"
#include "runner/base/process/stop_signals.h"
#include "runner/base/text/counts.h"
#include "runner/base/text/duration.h"
#include "runner/base/text/terminal.h"
#include "runner/cluster/launch/engines.h"
#include "runner/config/keys/roles.h"
#include "runner/front/options/results_verb.h"
#include "runner/front/options/sweep_verb.h"
#include "runner/front/panel/sweep_lines.h"
#include "runner/front/panel/sweep_panel.h"
#include "runner/front/verbs/detach.h"
#include "runner/front/verbs/verbs.h"
#include "runner/front/views/figure_text.h"
#include "runner/front/views/scope.h"
#include "runner/front/views/table_text.h"
#include "runner/front/views/view_results.h"
#include "runner/sweeps/language/views.h"
#include "runner/sweeps/schedule/on_finish.h"
#include "runner/workspace/folder.h"
#include "runner/workspace/run_lock.h"

namespace runner {
namespace {

namespace fs = std::filesystem;
using results::RunState;

// The text that `make` returns, or the reason why these runs have none.
template <class Make>
std::string text_or_why(const Make& make) {
  try {
    return make() + "\n";
  } catch (const std::invalid_argument& error) {
    return std::string("not shown: ") + error.what() + "\n\n";
  }
}

// Tables, claims and figures in order, each followed by an empty line.
std::string views_text(results::Database& database, const SweepViews& views,
                       const Terminal& terminal) {
  std::string text;
  std::vector<results::Table> tables;
  for (std::size_t i = 0; i < views.tables.size(); ++i)
    text += text_or_why([&] {
      tables.push_back(table_result(database, views, i, tables));
      return table_text(tables.back(), terminal);
    });
  for (const results::FigureSpec& spec : views.figures)
    text += text_or_why(
        [&] { return figure_text(results::make_figure(database, kRoles, spec), terminal); });
  return text;
}

struct RunOptions {
  SweepChoice choice;
  std::string workspace, trainer, engine{kEngines[0].name};
  Policy policy;
  RunBudget budget;
  bool retry = false, plain = false;
  std::string on_finish;
  std::string profile;
  bool dry_run = false, wait = false, detach = false;
};

constexpr const char* kRunFooter = R"text(Examples:
  lcsm run quickstart                       start missing runs, resume interrupted ones
  lcsm run quickstart --jobs 1
  lcsm run table4-o-types --scale laptop --max-fails 3
  lcsm run quickstart --retry               also retry failed runs
  lcsm run quickstart --gpus all --jobs 8   on all GPUs, 8 runs at a time
  lcsm run quickstart --timeout 2h          interrupt runs after two hours
  lcsm run quickstart --detach              go on in the background, also after a logout
  lcsm run quickstart --on slurm --profile gpu   submit to a cluster, and exit
  lcsm run quickstart --on hosts --wait     on the hosts of hosts.toml, over ssh
  lcsm run quickstart --on-finish 'notify-send "$LCSM_SWEEP: $LCSM_STATUS, $LCSM_FAILED failed"'

Ctrl-C: each run writes a checkpoint and stops; a second Ctrl-C kills the runs. Run the same command
to resume. On a terminal, a panel shows the progress; its last line lists the keys. From another
terminal: lcsm watch, status, jobs, cancel, retry, why, log -f. At the end, the sweep's tables,
claims and figures are printed, as by lcsm table and lcsm figure.

The command of --on-finish gets LCSM_SWEEP, LCSM_STATUS (done, failed, interrupted, nothing-to-do)
and the counts LCSM_DONE, LCSM_FAILED, LCSM_LEFT in its environment. Its exit code is
ignored.)text";

void print_line(const std::string& line) { print_safe(line + "\n"); }

// Trains the runs here until nothing is left to start. With a panel, `bad` gets a line for each run
// that failed, to be printed again once the panel is closed.
SweepRunResult watch(const RunOptions& options, const Work& work, Engine& engine,
                     std::vector<std::string>* bad) {
  print_line(fmt::format("lcsm run: {} to do, {} at a time, about {}",
                         counted(static_cast<std::int64_t>(count_to_start(work.runs)), "run"),
                         work.slots, duration_text(work.plan.eta_seconds)));
  if (options.plain || !can_hold_panel(STDERR_FILENO))
    return engine.watch(work, SweepLines(work.runs, print_line).watcher());
  PanelFeed feed(work.sweep, options.choice.request, work.plan, work.workspace);
  SweepPanel panel(feed, work.runs, STDERR_FILENO);
  SweepLines lines(work.runs, [&](const std::string& line) { panel.say(line); });
  const SweepRunResult result = engine.watch(work, panel.watcher(lines.watcher()));
  *bad = lines.bad();
  return result;
}

// Brings results.db up to date, and prints the tables, claims and figures. Whatever happens to the
// database, the runs are done.
void show(const RunOptions& options, const Work& work, bool with_views) {
  try {
    const auto database = current_results(work.workspace);
    if (!with_views) return;
    if (work.plan.runs.size() > kMostShown)
      return print_line(
          fmt::format("lcsm run: `lcsm table {}` shows the results", options.choice.name));
    SweepRequest asked = options.choice.request;
    asked.workspace = work.workspace;
    const SweepViews views =
        views_over(work.sweep, asked, work.plan.expansion.axes, work.points, *database);
    fmt::print("\n{}", views_text(*database, views, out_terminal()));
  } catch (const std::exception& error) {
    print_line(std::string("lcsm run: ") + error.what());
  }
}

// If stdout is closed, the rest is done all the same; the program reports it at its end.
void print_summary(const std::string& line) { std::fputs((line + "\n").c_str(), stdout); }

// Counts all points of the sweep: the runs of this `lcsm run`, and the others in the state in which
// they were found.
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

void finish(const RunOptions& options, const SweepEnd& end) {
  if (options.on_finish.empty()) return;
  SignalActions closed_pipes;  // the command gets the default action
  closed_pipes.set(SIGPIPE, SIG_DFL);
  std::fflush(stdout);
  const std::string trouble = run_on_finish(options.on_finish, end);
  if (!trouble.empty()) print_line("lcsm run: " + results::safe_text(trouble));
}

void judge(const SweepEnd& end) {
  if (end.stopped)
    throw Failure(ExitCode::kInterrupted, "interrupted; run the same command to resume");
  if (!end.all_done())
    throw Failure(
        ExitCode::kFailed,
        fmt::format("{} of {} not done", end.counts.of(RunState::kFailed) + end.counts.left(),
                    counted(static_cast<std::int64_t>(end.counts.all()), "run")));
}

void report_nothing_to_do(const RunOptions& options, const Work& work) {
  const RunCounts counts = work.plan.counts();
  const std::size_t failed = counts.of(RunState::kFailed);
  const std::size_t cancelled = counts.of(RunState::kCancelled);
  show(options, work, counts.of(RunState::kDone) > 0);
  print_summary(fmt::format("{}: {} done{}, nothing to do", work.sweep.name,
                            counts.of(RunState::kDone),
                            cancelled > 0 ? fmt::format(", {} cancelled", cancelled) : ""));
  finish(options, {work.sweep.name, counts});
  if (failed > 0)
    throw Failure(ExitCode::kFailed,
                  fmt::format("{} failed: add --retry to retry",
                              counted(static_cast<std::int64_t>(failed), "run")));
}

void report(const RunOptions& options, const Work& work, const SweepRunResult& result,
            const std::vector<std::string>& bad) {
  const SweepEnd end{work.sweep.name, counts_of(work.plan, work.runs, result), true,
                     result.stopped};
  if (result.lost.empty())
    show(options, work, !result.stopped && end.counts.of(RunState::kDone) > 0);
  for (const std::string& line : bad) print_line(line);
  print_summary(fmt::format("{}: {}", end.sweep, end.counts.summary()));
  finish(options, end);
  if (!result.lost.empty())
    throw Failure(ExitCode::kMissing, result.lost +
                                          ": running runs were interrupted; restore it and "
                                          "run the same command to resume");
  judge(end);
}

// Reports runs that another engine's hosts or jobs have finished, as a local `lcsm run` would.
void report_others(const RunOptions& options, const Work& work, Engine& engine) {
  if (engine.watch(work, {}).stopped) throw Failure(ExitCode::kInterrupted, "");
  const SweepPlan now = plan_sweep(work.sweep, options.choice.request, known_of(work.workspace),
                                   work.slots, work.allowed.cores());
  const SweepEnd end{work.sweep.name, now.counts(), true, false};
  show(options, work, end.counts.of(RunState::kDone) > 0);
  print_summary(fmt::format("{}: {}", end.sweep, end.counts.summary()));
  finish(options, end);
  judge(end);
}

void run(const RunOptions& asked) {
  RunOptions options = asked;
  // Lives until the process has ended, so that a signal does not change the exit code.
  [[maybe_unused]] static const StopCounter& signals = *new StopCounter;
  SignalActions closed_pipes;
  closed_pipes.set(SIGPIPE, SIG_IGN);
  const SweepFile sweep = chosen_sweep(options.choice);
  const fs::path workspace = fs::absolute(workspace_folder(options.workspace));
  options.choice.request.workspace = workspace;
  if (options.detach && !options.dry_run && !goes_on_detached(workspace)) return;
  const EngineRow& on = *lcsm::row_named(kEngines, options.engine);
  // What trains elsewhere takes the trainer along.
  if (!on.attended) options.trainer = trainer_program(options.trainer, kBuildTrainer);
  const auto engine =
      on.make({workspace, sweep, options.trainer, options.profile, options.policy, options.budget});
  options.budget.jobs = engine->slots();
  options.budget.on_any_host = !on.attended;
  const auto planned = [&](auto plan) {
    return plan(sweep, workspace, options.choice.request, options.budget, options.retry);
  };
  if (options.dry_run) return fmt::print("{}", engine->plan(planned(look_at_work)));
  lcsm::create_folder(workspace / results::kRunsFolder);
  std::optional<WorkspaceRunLock> lock(std::in_place, workspace, sweep.name);
  engine->fetch();
  const Work work = planned(prepare_work);
  if (on.attended && work.runs.empty()) return report_nothing_to_do(options, work);
  report_missing_data(work.plan);
  if (on.attended) require_gpu(work);
  engine->start(work);
  if (on.attended) {
    std::vector<std::string> bad;
    const SweepRunResult result = watch(options, work, *engine, &bad);
    return report(options, work, result, bad);
  }
  lock.reset();
  if (options.wait) report_others(options, work, *engine);
}

}  // namespace

void add_sweep_run(Verb& program) {
  Verb& verb = program.verb("run", "Run a sweep; finished runs are kept");
  RunOptions& options = verb.runs(run);
  add_sweep_options(verb, &options.choice);
  add_budget_options(verb, &options.budget);
  verb.option("--max-fails", &options.policy.max_fails,
              "Start no more runs after this many failures")
      .range(1, 1000000);
  verb.flag("--fail-fast", &options.policy.fail_fast, "Stop the other runs when one fails");
  verb.option("--retries", &options.policy.retries,
              "Retries of a run after a failure that may be temporary (default: 2)")
      .range(0, 100);
  verb.flag("--retry", &options.retry, "Also retry failed runs");
  verb.option("--on-finish", &options.on_finish, "Shell command to run at the end").type("CMD");
  verb.option("--on", &options.engine, "Where runs train (default: local, on this host)")
      .type("ENGINE")
      .choices(choices_of(kEngines));
  verb.option("--profile", &options.profile,
              "With --on slurm: the profile of slurm.toml (default: the only one)")
      .type("NAME");
  verb.flag("--wait", &options.wait, "With --on slurm or hosts: wait until all runs have ended");
  verb.flag("--dry-run", &options.dry_run,
            "Print what would start (with --on: the scripts or commands); start nothing");
  verb.flag("--detach", &options.detach, "Go on in the background; the output goes to run.log");
  verb.flag("--plain", &options.plain, "Print lines instead of a panel");
  verb.option("--trainer", &options.trainer,
              "The training program (default: lcsm-train next to lcsm)")
      .type("FILE");
  add_workspace_option(verb, &options.workspace);
  verb.footer(kRunFooter);
}

}  // namespace runner
