// `lcsm element`: one array task, which trains runs of a submission until no run is left or its
// time is up.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <optional>

#include "lcsm/base/allowance.h"
#include "runner/base/process/batch_job.h"
#include "runner/base/process/exit_code.h"
#include "runner/base/process/process_facts.h"
#include "runner/base/process/stderr_text.h"
#include "runner/base/process/stop_signals.h"
#include "runner/base/text/counts.h"
#include "runner/base/text/duration.h"
#include "runner/cluster/launch/engines.h"
#include "runner/cluster/submission/submission.h"
#include "runner/cluster/submission/worker.h"
#include "runner/front/panel/sweep_lines.h"
#include "runner/front/verbs/verbs.h"
#include "runner/sweeps/plan/run_counts.h"
#include "runner/sweeps/schedule/run_claims.h"
#include "runner/workspace/control.h"
#include "runner/workspace/folder.h"

namespace runner {
namespace {

namespace fs = std::filesystem;
using results::RunState;

struct ElementOptions {
  std::string folder, trainer;
  std::int64_t jobs = 0;
};

constexpr double kLeastGain = 60;  // seconds; a start needs this much time before the warning

constexpr const char* kElementFooter =
    R"text(Trains runs of a submission until none is left to start. The batch script that
`lcsm run SWEEP --on slurm` writes calls it. Without Slurm, start it by hand on hosts that share
the workspace.

SIGUSR2, sent some time before the time limit: each run writes a checkpoint and stops, and this
array task alone is requeued. SIGTERM or Ctrl-C: the same, without requeueing.

Exit codes: 0 no run is left to start (others may still be training); 1 a run failed here, this node
is set aside, or there is no time to train; 3 part of the submission is missing or damaged; 5 out of
time or interrupted, and runs remain.
Examples:
  lcsm element workspace/submissions/recall-1a2b)text";

void say(const std::string& line) { print_safe("lcsm element: " + line + "\n"); }

// Rounds down to a power of two, so that runs of similar duration count as equal.
double rough(double seconds) { return seconds > 0 ? std::exp2(std::floor(std::log2(seconds))) : 0; }

// Among runs of similar duration each array task begins at a different one, so that a thousand
// tasks do not claim one run.
std::vector<RunToDo> runs_of(const Submission& submission, const BatchJob& job) {
  std::vector<RunToDo> runs;
  for (const SubmittedRun& run : submission.runs)
    runs.push_back(
        {.job = {.id = run.id, .seconds = rough(run.seconds), .memory_bytes = run.memory_bytes},
         .name = run.name,
         .config = run.config,
         .threads = static_cast<int>(run.threads),
         .disk_bytes = run.disk_bytes});
  const std::size_t first = std::hash<std::string>()(job.id + job.node);
  if (!runs.empty())
    std::ranges::rotate(runs, runs.begin() + static_cast<std::ptrdiff_t>(first % runs.size()));
  return runs;
}

// Seconds in which runs may start; nullopt: no time limit.
std::optional<double> seconds_to_start(const Engine* engine, const ElementRules& rules) {
  const auto left = engine == nullptr ? std::nullopt : engine->seconds_left();
  if (!left) return std::nullopt;
  const double rest = *left - rules.warning - std::min(kLeastGain, rules.warning);
  if (rest <= 0)
    throw Failure(
        ExitCode::kFailed,
        fmt::format("expected time to train before the warning, got {} until the time "
                    "limit and a warning of {}: raise time in {}",
                    exact_duration(*left), exact_duration(rules.warning), engine->file()));
  return rest;
}

SweepRunSettings settings_of(const ElementOptions& options, const fs::path& folder,
                             const Submission& submission, const Engine* engine) {
  const ElementRules& rules = submission.rules;
  const lcsm::Allowance allowed = lcsm::read_allowance();
  const auto given = engine == nullptr ? std::nullopt : engine->cores();
  const int cores = std::min(allowed.cores(), given.value_or(allowed.cores()));
  SweepRunSettings settings;
  settings.mark = submission.mark;
  settings.training.workspace = folder.parent_path().parent_path();
  settings.training.trainer = trainer_program(options.trainer, "submit the sweep again");
  settings.training.gpus = assigned_gpus();
  const auto gpus = static_cast<std::int64_t>(settings.training.gpus.size());
  const std::int64_t per_core = rules.jobs > 0 ? rules.jobs : cores;
  const std::int64_t usual = gpus > 0 ? gpus * rules.runs_per_gpu : per_core;
  settings.jobs =
      static_cast<int>(std::max<std::int64_t>(1, options.jobs > 0 ? options.jobs : usual));
  settings.training.threads = std::max(1, cores / settings.jobs);
  settings.training.limits = {
      .timeout_seconds = rules.timeout, .grace_seconds = rules.grace, .stall_seconds = rules.stall};
  settings.policy.retries = static_cast<int>(rules.retries);
  // A single bad run, with its retries, sets no node aside.
  settings.policy.device_fails = settings.policy.last_device_fails =
      static_cast<int>(rules.node_fails + rules.retries);
  settings.policy.memory_bytes = 0.9 * static_cast<double>(allowed.memory_free);
  settings.shared = SharedWork{.submission = submission.token,
                               .beat = rules.beat,
                               .silence = rules.silence,
                               .fruitless = rules.fruitless,
                               .seconds = seconds_to_start(engine, rules)};
  return settings;
}

// Leaves out runs that were not started here, except runs that this task gives up. The other runs
// are reported by the tasks in which they end.
SweepRunWatcher quiet_about_others(SweepRunWatcher watcher) {
  watcher.ended = [ended = watcher.ended](const Scheduler& scheduler, std::size_t job,
                                          const Ended& end) {
    const bool given_up = end.state == RunState::kFailed && end.why != kByAnother;
    if (scheduler.entries()[job].starts > 0 || given_up) ended(scheduler, job, end);
  };
  return watcher;
}

void set_aside(const fs::path& folder, const std::string& node) {
  set_node_aside(folder, node, "run after run failed");
  say("several runs in a row failed on " + node + ": it is set aside, see " +
      (folder / "nodes").string());
}

// True if a run remains that neither has ended for good nor is trained by another process.
bool is_left(const SweepRunResult& result) {
  const auto open = std::count_if(result.states.begin(), result.states.end(), [](RunState state) {
    return state != RunState::kDone && (row_of(state).starts || row_of(state).retried);
  });
  return static_cast<std::size_t>(open) > result.elsewhere;
}

[[noreturn]] void wait_for_next_turn(const fs::path& folder, Engine* engine, ExitCode code,
                                     const std::string& why) {
  if (engine == nullptr)
    throw Failure(code, why + ": run it again, here or on another node, to resume");
  const std::string trouble = engine->requeue(nodes_aside(folder));
  throw Failure(code, why + (trouble.empty() ? ": requeued" : ": " + trouble));
}

void finish(const fs::path& folder, Engine* engine, const std::string& node,
            const SweepRunResult& result) {
  if (!result.lost.empty()) throw Failure(ExitCode::kMissing, result.lost);
  const auto count = [&](RunState counted) {
    return std::count_if(result.states.begin(), result.states.end(),
                         [&](RunState state) { return counted_as(state) == counted; });
  };
  say(fmt::format("{} done, {} failed, {} of {} trained elsewhere", count(RunState::kDone),
                  count(RunState::kFailed), result.elsewhere, result.states.size()));
  if (result.aside) {
    set_aside(folder, node);
    wait_for_next_turn(folder, engine, ExitCode::kFailed, node + " is set aside");
  }
  if (result.stopped && !StopCounter::warned())
    throw Failure(ExitCode::kInterrupted, "interrupted: its runs resume in another array task");
  if (is_left(result))
    wait_for_next_turn(folder, engine, ExitCode::kInterrupted, "out of time, and runs remain");
  if (count(RunState::kFailed) > 0)
    throw Failure(ExitCode::kFailed, counted(count(RunState::kFailed), "run") + " failed");
}

Submission submission_in(const fs::path& folder) {
  if (!fs::exists(folder))
    throw Failure(ExitCode::kMissing,
                  "expected a submission at " + folder.string() + " on " + host_name() +
                      ", got none: the workspace must be on a file system that all nodes share");
  try {
    return read_submission(folder);
  } catch (const std::runtime_error& error) {
    throw Failure(ExitCode::kMissing, error.what());
  }
}

void element(const ElementOptions& options) {
  [[maybe_unused]] static const StopCounter& signals = *new StopCounter;
  SignalActions closed_pipes;
  closed_pipes.set(SIGPIPE, SIG_IGN);
  fs::path folder = fs::absolute(options.folder).lexically_normal();
  if (!folder.has_filename()) folder = folder.parent_path();
  workspace_folder(folder.parent_path().parent_path().string());
  const Submission submission = submission_in(folder);
  const BatchJob job = this_batch_job();
  const Engines engines(folder.parent_path().parent_path());
  Engine* const engine = engines.here();
  if (nodes_aside(folder).contains(job.node))
    wait_for_next_turn(folder, engine, ExitCode::kFailed, job.node + " is set aside");
  const std::vector<RunToDo> runs = runs_of(submission, job);
  const SweepRunSettings settings = settings_of(options, folder, submission, engine);
  fs::create_directories(settings.training.workspace / results::kRunsFolder);
  say(fmt::format("{} on {}: {}, {} at a time", job.id.empty() ? "no job" : "job " + job.id,
                  job.node, counted(runs.size(), "run"), settings.jobs));
  SweepLines lines(runs, [](const std::string& line) { print_safe(line + "\n"); });
  finish(folder, engine, job.node, run_sweep(runs, settings, quiet_about_others(lines.watcher())));
}

}  // namespace

void add_element(Verb& program) {
  Verb& verb = program.verb("element", "Run one array task");
  ElementOptions& options = verb.runs(element);
  verb.argument("folder", &options.folder, "The submission, in submissions/ of the workspace")
      .type("DIR")
      .required();
  verb.option("--jobs", &options.jobs, "Runs at a time (0, the default: as submitted)")
      .range(0, kMostJobs);
  verb.option("--trainer", &options.trainer,
              "The training program (default: lcsm-train next to lcsm)")
      .type("FILE");
  verb.footer(kElementFooter);
}

}  // namespace runner
