// `lcsm run`: runs a sweep; finished runs are kept.
#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <functional>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <thread>
#include <vector>

#include "lcsm/base/row_names.h"
#include "lcsm/base/words.h"
#include "lcsm/files/whole_file.h"
#include "runner/base/process/exit_code.h"
#include "runner/base/process/stderr_text.h"
#include "runner/base/process/stop_signals.h"
#include "runner/base/text/counts.h"
#include "runner/base/text/duration.h"
#include "runner/base/text/terminal.h"
#include "runner/cluster/launch/engines.h"
#include "runner/front/options/result_candidates.h"
#include "runner/front/options/results_verb.h"
#include "runner/front/options/sweep_verb.h"
#include "runner/front/panel/sweep_lines.h"
#include "runner/front/panel/sweep_panel.h"
#include "runner/front/verbs/data.h"
#include "runner/front/verbs/detach.h"
#include "runner/front/verbs/foreground.h"
#include "runner/front/verbs/run_report.h"
#include "runner/front/verbs/verbs.h"
#include "runner/sweeps/schedule/run_budget.h"
#include "runner/workspace/folder.h"
#include "runner/workspace/run_lock.h"

namespace runner {
namespace {

namespace fs = std::filesystem;
using results::RunState;

struct RunOptions {
  std::vector<std::string> sweeps;
  SweepRequest request;
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
  lcsm run quickstart recall                one sweep after the other
  lcsm run table4-o-types --scale laptop --max-fails 3
  lcsm run quickstart --retry               also retry failed runs
  lcsm run quickstart --gpus all --jobs 8   on all GPUs, 8 runs at a time
  lcsm run quickstart --timeout 2h          interrupt runs after two hours
  lcsm run quickstart --detach              go on in the background, also after a logout
  lcsm run quickstart --on slurm --profile gpu   submit to a cluster, and exit
  lcsm run quickstart --on hosts --wait     on the hosts of hosts.toml, over ssh
  lcsm run quickstart --on-finish 'notify-send "$LCSM_SWEEP: $LCSM_STATUS, $LCSM_FAILED failed"'

Ctrl-C: each run writes a checkpoint and stops; a second Ctrl-C kills the runs. Run the same command
to resume. On a terminal, a panel shows the progress; its last line lists the keys. Its key d lets
the runs go on in the background, as --detach does. From another terminal: lcsm watch, status, jobs,
cancel, retry, why, log -f. At the end, the sweep's tables, claims and figures are printed, as by
lcsm table and lcsm figure.

Several sweeps run in this order; the mistakes of all are reported before the first one starts. A
workspace runs one sweep at a time: if another process runs it, this one waits for its turn, unless
nothing is left to do.

The command of --on-finish runs after each sweep. It gets LCSM_SWEEP, LCSM_STATUS (done, failed,
interrupted, nothing-to-do) and the counts LCSM_DONE, LCSM_FAILED, LCSM_LEFT in its environment. Its
exit code is ignored.)text";

void print_line(const std::string& line) { print_safe(line + "\n"); }

bool shows_panel(const RunOptions& options) {
  return !options.plain && can_hold_panel(STDERR_FILENO);
}

// Trains the runs here until nothing is left to start. With a panel, `bad` gets a line for each run
// that failed, to be printed again once the panel is closed.
SweepRunResult watch(const RunOptions& options, const Work& work, Engine& engine,
                     std::vector<std::string>* bad) {
  print_line(fmt::format("lcsm run: {}{} to do, {} at a time, about {}",
                         options.sweeps.size() > 1 ? work.sweep.name + ": " : "",
                         counted(count_to_start(work.runs), "run"), work.slots,
                         duration_text(work.plan.eta_seconds)));
  if (!shows_panel(options)) return engine.watch(work, SweepLines(work.runs, print_line).watcher());
  PanelFeed feed(work.sweep, options.request, work.plan, work.workspace);
  SweepPanel panel(feed, work.runs, STDERR_FILENO, [&](const std::function<void()>& close) {
    go_to_background(work.workspace, close);
  });
  SweepLines lines(work.runs, [&](const std::string& line) { panel.say(line); });
  const SweepRunResult result = engine.watch(work, panel.watcher(lines.watcher()));
  *bad = lines.bad();
  return result;
}

// A sweep on the command line.
struct Turn {
  std::string name;  // as the user typed it
  SweepFile sweep;
  std::unique_ptr<Engine> engine;
  std::optional<Work> work = {};
};

// An edit of task.data_options does not change data that is there.
void check_stated_data(const std::set<std::string>& commands, const fs::path& workspace) {
  for (const std::string& command : commands) try {
      make_data(command, workspace);
    } catch (const std::invalid_argument& error) {
      throw std::invalid_argument("task.data_options: expected what `" + command + "` generates: " +
                                  error.what() + "; in a sweep, task.data is the name");
    }
}

// Generates the data that the sweeps lack, if it can be generated.
void make_missing_data(const std::vector<Turn>& turns, const SweepRequest& request) {
  const StopCounter stops(StopCounter::Second::kEnds);
  DataCommands commands;
  for (const Turn& turn : turns) {
    DataCommands more = data_commands(turn.sweep, request, known_of(request.workspace));
    commands.missing.merge(more.missing);
    commands.stated.merge(more.stated);
  }
  check_stated_data(commands.stated, request.workspace);
  for (const std::string& command : commands.missing) {
    print_line(command);
    make_data(command, request.workspace);
  }
}

// The ends of several sweeps. A run of more than one counts once.
struct Total {
  EndStates states;
  bool started = false, stopped = false;

  void add(const EndStates& more, const SweepEnd& end) {
    for (const auto& [id, state] : more) states[id] = state;
    started = started || end.started;
    stopped = stopped || end.stopped;
  }
  SweepEnd end(std::size_t sweeps) const {
    return {counted(sweeps, "sweep"), counts_of(states), started, stopped};
  }
};

// Throws Failure, before anything starts, for errors that would otherwise occur later.
void check(const Work& work, bool attended) {
  if (attended && work.runs.empty()) return;
  report_missing_data(work.plan);
  if (attended) require_gpu(work);
}

// Trains the sweep here, and reports its end.
SweepEnd train(const RunOptions& options, const Turn& turn, Total* total) {
  const Work& work = *turn.work;
  const bool starts = !work.runs.empty();
  SweepRunResult result;
  std::vector<std::string> bad;
  if (starts) {
    check(work, true);
    turn.engine->start(work);
    result = watch(options, work, *turn.engine, &bad);
  }
  const EndStates states = states_of(work, result);
  const SweepEnd end{work.sweep.name, counts_of(states), starts, result.stopped};
  total->add(states, end);
  if (result.lost.empty())
    show_results(turn.name, options.request, work,
                 !end.stopped && end.counts.of(RunState::kDone) > 0);
  for (const std::string& line : bad) print_line(line);
  print_summary(end);
  finish(options.on_finish, end);
  if (!result.lost.empty())
    throw Failure(ExitCode::kMissing, result.lost +
                                          ": running runs were interrupted; restore it and "
                                          "run the same command to resume");
  return end;
}

// Reports runs that another engine's hosts or jobs have finished, as a local `lcsm run` would.
void report_others(const RunOptions& options, const Turn& turn, Total* total) {
  const Work& work = *turn.work;
  if (turn.engine->watch(work, {}).stopped) throw Failure(ExitCode::kInterrupted, "");
  const SweepPlan now = plan_sweep(work.sweep, options.request, known_of(work.workspace),
                                   {work.slots, work.allowed.cores()});
  const SweepEnd end{work.sweep.name, now.counts(), true, false};
  total->add(states_of(now), end);
  show_results(turn.name, options.request, work, end.counts.of(RunState::kDone) > 0);
  print_summary(end);
  finish(options.on_finish, end);
}

// Waits for processes that run the workspace or are ahead in the queue.
WorkspaceRunLock take_turn(const fs::path& workspace, const std::string& sweep) {
  std::string said;
  return {workspace, sweep, [said](const std::vector<WorkspaceRunner>& ahead) mutable {
            constexpr auto kPause = std::chrono::milliseconds(100);
            if (StopCounter::count() > 0)
              throw Failure(ExitCode::kInterrupted, "interrupted while it waited for its turn");
            const std::string text =
                ahead.empty()
                    ? said
                    : fmt::format(
                          "lcsm run: waits for {}{}; `lcsm watch` shows it", ahead.front().text(),
                          ahead.size() > 1 ? fmt::format(", and {} before this", ahead.size() - 1)
                                           : "");
            if (text != said) print_line(text);
            said = text;
            std::this_thread::sleep_for(kPause);
          }};
}

using Plan = decltype(look_at_work);

Work planned(Plan plan, const RunOptions& options, const Turn& turn) {
  const StopCounter stops(StopCounter::Second::kEnds);  // it may read much data
  return plan(turn.sweep, options.request.workspace, options.request, options.budget,
              options.retry);
}

void print_plans(const RunOptions& options, const EngineRow& on, const std::vector<Turn>& turns) {
  for (const Turn& turn : turns)
    fmt::print("{}{}", on.attended && turns.size() > 1 ? "# " + turn.sweep.name + "\n" : "",
               turn.engine->plan(planned(look_at_work, options, turn)));
}

// Trains the sweeps one after the other, or hands them to the engine.
void take_turns(const RunOptions& options, const EngineRow& on, std::vector<Turn>* turns,
                Total* total) {
  WorkspaceRunLock lock = take_turn(options.request.workspace, turns->front().sweep.name);
  for (Turn& turn : *turns) {
    lock.now_runs(turn.sweep.name);
    turn.engine->fetch();
    turn.work = planned(prepare_work, options, turn);
    if (on.attended) {
      const SweepEnd end = train(options, turn, total);
      if (end.stopped || (options.policy.fail_fast && end.counts.of(RunState::kFailed) > 0)) break;
    } else {
      check(*turn.work, false);
      turn.engine->start(*turn.work);
    }
  }
}

// True if nothing of these planned sweeps is left to train.
bool are_done(const std::vector<Turn>& turns) {
  return std::ranges::all_of(turns, [](const Turn& turn) { return turn.work->runs.empty(); });
}

// Reports sweeps that are done, while another process may run the workspace.
void report_done(const RunOptions& options, const std::vector<Turn>& turns, Total* total) {
  for (const Turn& turn : turns) {
    mark_points(*turn.work);
    train(options, turn, total);
  }
}

// Trains the planned runs, and reports the ends.
void carry_out(const RunOptions& options, const EngineRow& on, std::vector<Turn>* turns) {
  const fs::path& workspace = options.request.workspace;
  lcsm::create_folder(workspace / results::kRunsFolder);
  make_missing_data(*turns, options.request);
  Total total;
  const bool others = who_runs(workspace).has_value();
  if (turns->size() > 1 || others)
    for (Turn& turn : *turns) {
      turn.work = planned(look_at_work, options, turn);
      check(*turn.work, on.attended);
      total.add(states_of(turn.work->plan), {});
    }
  if (others && on.attended && are_done(*turns)) {
    report_done(options, *turns, &total);
  } else {
    if (on.attended && shows_panel(options)) work_in_child();
    take_turns(options, on, turns, &total);
  }
  if (!on.attended && !options.wait) return;
  if (!on.attended)
    for (const Turn& turn : *turns) report_others(options, turn, &total);
  const SweepEnd end = total.end(turns->size());
  if (turns->size() > 1) print_summary(end);
  judge(end, "lcsm retry " + lcsm::joined(options.sweeps, " ") +
                 (options.workspace.empty() ? "" : " --workspace " + options.workspace));
}

void run(const RunOptions& asked) {
  RunOptions options = asked;
  // Lives until the process has ended, so that a signal does not change the exit code.
  [[maybe_unused]] static const StopCounter& signals = *new StopCounter;
  SignalActions closed_pipes;
  closed_pipes.set(SIGPIPE, SIG_IGN);
  std::vector<Turn> turns;
  for (const std::string& name : options.sweeps)
    turns.push_back({name, chosen_sweep({name, options.request}), nullptr});
  const fs::path workspace = fs::absolute(workspace_folder(options.workspace));
  options.request.workspace = workspace;
  limits_of(options.budget);  // malformed ones are refused here, not in run.log
  if (options.detach && !options.dry_run && !goes_on_detached(workspace)) return;
  const EngineRow& on = *lcsm::row_named(kEngines, options.engine);
  // Engines that train elsewhere freeze the trainer.
  if (!on.attended) options.trainer = trainer_program(options.trainer, kBuildTrainer);
  for (Turn& turn : turns)
    turn.engine = on.make(
        {workspace, turn.sweep, options.trainer, options.profile, options.policy, options.budget});
  options.budget.jobs = turns.front().engine->slots();
  options.budget.on_any_host = !on.attended;
  if (options.dry_run) return print_plans(options, on, turns);
  carry_out(options, on, &turns);
}

}  // namespace

void add_sweep_run(Verb& program) {
  Verb& verb = program.verb("run", "Run a sweep; finished runs are kept");
  RunOptions& options = verb.runs(run);
  verb.argument("sweeps", &options.sweeps, "Sweeps, or their files; they run one after the other")
      .type("SWEEP")
      .required()
      .completes(sweep_candidates);
  add_request_options(verb, &options.request);
  add_budget_options(verb, &options.budget);
  verb.option("--max-fails", &options.policy.max_fails,
              "Start no more runs after this many failures")
      .range(1, 1000000);
  verb.flag("--fail-fast", &options.policy.fail_fast,
            "Stop the other runs, and later sweeps, when one fails");
  verb.option("--retries", &options.policy.retries,
              "Retries of a run after a failure that may be temporary (default: 2)")
      .range(0, 100);
  verb.flag("--retry", &options.retry, "Also retry failed runs");
  verb.option("--on-finish", &options.on_finish, "Shell command to run after each sweep")
      .type("CMD");
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
