// `lcsm cancel`, `lcsm retry` and `lcsm jobs`: requests to the current `lcsm run`, or the next one.
#include <fmt/format.h>

#include "results/text/escape.h"
#include "results/text/number_text.h"
#include "runner/base/process/exit_code.h"
#include "runner/cluster/launch/engines.h"
#include "runner/front/options/results_verb.h"
#include "runner/front/options/sweep_verb.h"
#include "runner/front/verbs/verbs.h"
#include "runner/sweeps/plan/running_sweep.h"
#include "runner/sweeps/plan/sweep_plan.h"
#include "runner/workspace/control.h"
#include "runner/workspace/run_lock.h"

namespace runner {
namespace {

namespace fs = std::filesystem;
using results::RunState;

struct ControlOptions {
  RunChoice choice;
  std::string workspace, jobs;
};

// Returns what is done with a run, "" if nothing; then also the reason.
using Deed = std::function<std::string(const ChosenRun& run, std::string* why_not)>;
using Request = void (*)(const fs::path& workspace, const std::vector<std::string>& ids);

void do_all(const ControlOptions& options, const fs::path& workspace, Request request,
            const Deed& deed) {
  const auto database = open_results(workspace);
  const RunStates states = run_states(*database, workspace);
  for (const ChosenRuns& chosen : chosen_runs(options.choice, *database, states, workspace)) {
    std::vector<std::string> ids;
    std::string lines;
    for (const ChosenRun& run : chosen.runs) {
      std::string why_not;
      const std::string what = deed(run, &why_not);
      if (!what.empty()) ids.push_back(run.id);
      if (!what.empty() || !chosen.several)
        lines += fmt::format("{}  {}{}\n", run.id.substr(0, 8), what.empty() ? why_not : what,
                             run.name.empty() ? "" : "  " + results::safe_text(run.name));
    }
    if (!ids.empty()) request(workspace, ids);
    fmt::print("{}", lines);
    if (chosen.several)
      fmt::print("{}: {} of {} runs\n", chosen.word, ids.size(), chosen.runs.size());
  }
  if (const auto runner = who_runs(workspace)) fmt::print(stderr, "sent to {}\n", runner->text());
  const auto failed = [](const std::string& error) {
    fmt::print(stderr, "not sent: {}\n", results::safe_text(error));
  };
  for (const std::string& who : Engines(workspace).pass_requests_on(failed))
    fmt::print(stderr, "sent to {}\n", results::safe_text(who));
}

// Cancels queued jobs of all engines that have no remaining run.
void release_engines(const fs::path& workspace) {
  std::set<std::string> over;
  const auto database = open_results(workspace);
  for (const auto& [id, status] : run_states(*database, workspace))
    if (status.state == RunState::kDone || status.state == RunState::kCancelled) over.insert(id);
  const auto say_error = [](const std::string& error) {
    fmt::print(stderr, "lcsm cancel: {}\n", results::safe_text(error));
  };
  for (const std::string& line : Engines(workspace).cancel(over, say_error))
    fmt::print(stderr, "{}\n", line);
}

void cancel(const ControlOptions& options) {
  const fs::path workspace = workspace_of(options.workspace);
  const auto deed = [](const ChosenRun& run, std::string* why_not) -> std::string {
    *why_not = run.state == RunState::kDone ? "done: nothing to cancel" : "already cancelled";
    if (run.state == RunState::kDone || run.state == RunState::kCancelled) return "";
    return run.state == RunState::kRunning ? "cancelled: it writes a checkpoint and stops"
                                           : "cancelled";
  };
  do_all(options, workspace, cancel_runs, deed);
  release_engines(workspace);
}

// New and interrupted runs need no request, since they start without one.
void retry(const ControlOptions& options) {
  const fs::path workspace = workspace_of(options.workspace);
  const Control control = read_control(workspace);
  const auto deed = [&](const ChosenRun& run, std::string* why_not) -> std::string {
    const RunState state = counted_as(run.state);
    *why_not =
        std::string(name_of(state)) + (state == RunState::kDone || state == RunState::kRunning
                                           ? ": nothing to retry"
                                           : ": `lcsm run` starts it anyway");
    if (run.state == RunState::kRefused) {
      *why_not = "refused: `lcsm why " + run.id.substr(0, 8) + "` says what to repair first";
      return "";
    }
    const bool cancelled = control.cancelled.contains(run.id);
    if (state != RunState::kFailed && state != RunState::kInterrupted && !cancelled) return "";
    return cancelled ? "no longer cancelled" : "will be retried";
  };
  do_all(options, workspace, retry_runs, deed);
}

std::optional<int> jobs_of(const std::string& text) {
  if (text == "default") return std::nullopt;
  const auto jobs = results::all_of_it<int>(text);
  if (jobs && *jobs >= 0 && *jobs <= kMostJobs) return jobs;
  throw std::invalid_argument(
      fmt::format("expected 0 to {} runs at a time, or 'default', got '{}'", kMostJobs, text));
}

void jobs(const ControlOptions& options) {
  const fs::path workspace = workspace_of(options.workspace);
  if (!options.jobs.empty()) set_jobs(workspace, jobs_of(options.jobs));
  const std::optional<int> now = read_control(workspace).jobs;
  fmt::print("{}\n", now ? std::to_string(*now) : "default");
  const auto runner = who_runs(workspace);
  if (!runner) return fmt::print(stderr, "no `lcsm run` in this workspace\n");
  const auto running = read_running(workspace);
  const int at_a_time = now ? *now : running ? running->jobs : 1;
  fmt::print(stderr, "run by {}, {}\n", runner->text(),
             at_a_time > 0 ? fmt::format("{} at a time", at_a_time) : "paused");
}

constexpr const char* kCancelFooter = R"text(Examples:
  lcsm cancel 3f9c                          a run, by the start of its id
  lcsm cancel quickstart --scale paper      all runs of the sweep that are not done

A running run writes a checkpoint and stops; a queued one does not start. Both stay cancelled, also
for the next `lcsm run`, until `lcsm retry`. Nothing is deleted.)text";

constexpr const char* kRetryFooter = R"text(Examples:
  lcsm retry 3f9c
  lcsm retry quickstart      all its failed and cancelled runs

The current `lcsm run` starts them; if none is running, the next one does.)text";

constexpr const char* kJobsFooter = R"text(Examples:
  lcsm jobs            show the setting
  lcsm jobs 4          at most 4 runs at a time; running ones continue
  lcsm jobs 0          pause: no run starts
  lcsm jobs default    as `lcsm run` was started

The setting holds for the current `lcsm run` and later ones, until one is given --jobs.)text";

}  // namespace

void add_cancel(Verb& program) {
  Verb& verb = program.verb("cancel", "Cancel queued and running runs");
  ControlOptions& options = verb.runs(cancel);
  add_run_choice(verb, &options.choice);
  add_workspace_option(verb, &options.workspace);
  verb.footer(kCancelFooter);
}

void add_retry(Verb& program) {
  Verb& verb = program.verb("retry", "Retry failed and cancelled runs");
  ControlOptions& options = verb.runs(retry);
  add_run_choice(verb, &options.choice);
  add_workspace_option(verb, &options.workspace);
  verb.footer(kRetryFooter);
}

void add_jobs(Verb& program) {
  Verb& verb = program.verb("jobs", "Change how many runs train at a time, or pause");
  ControlOptions& options = verb.runs(jobs);
  verb.argument("n", &options.jobs, "Runs at a time; 0: pause; default: as `lcsm run` was started")
      .type("N");
  add_workspace_option(verb, &options.workspace);
  verb.footer(kJobsFooter);
}

}  // namespace runner
