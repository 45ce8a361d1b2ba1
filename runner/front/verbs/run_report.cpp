#include "runner/front/verbs/run_report.h"

#include <fmt/format.h>

#include <csignal>
#include <cstdio>
#include <stdexcept>

#include "results/store/database.h"
#include "results/text/escape.h"
#include "runner/base/process/exit_code.h"
#include "runner/base/process/stderr_text.h"
#include "runner/base/process/stop_signals.h"
#include "runner/base/text/counts.h"
#include "runner/base/text/terminal.h"
#include "runner/config/keys/roles.h"
#include "runner/front/views/figure_text.h"
#include "runner/front/views/scope.h"
#include "runner/front/views/table_text.h"
#include "runner/front/views/view_results.h"
#include "runner/sweeps/language/views.h"
#include "runner/sweeps/plan/open_results.h"

namespace runner {
namespace {

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
  for (std::size_t i = 0; i < views.tables.size(); ++i)
    text += text_or_why([&] { return table_text(table_result(database, views, i), terminal); });
  for (const results::FigureSpec& spec : views.figures)
    text += text_or_why(
        [&] { return figure_text(results::make_figure(database, kRoles, spec), terminal); });
  return text;
}

}  // namespace

EndStates states_of(const SweepPlan& plan) {
  EndStates states;
  for (const PlannedRun& run : plan.runs) states.emplace(run.point.id, run.state);
  return states;
}

EndStates states_of(const Work& work, const SweepRunResult& result) {
  EndStates states = states_of(work.plan);
  for (std::size_t i = 0; i < work.runs.size(); ++i) states[work.runs[i].job.id] = result.states[i];
  return states;
}

RunCounts counts_of(const EndStates& states) {
  RunCounts counts;
  for (const auto& [id, state] : states) counts.add(state);
  return counts;
}

void show_results(const std::string& name, const SweepRequest& request, const Work& work,
                  bool with_views) {
  try {
    const auto database = open_results(work.workspace);
    if (!with_views) return;
    if (work.plan.runs.size() > kMostShown)
      return print_safe(fmt::format("lcsm run: `lcsm table {}` shows the results\n", name));
    const SweepViews views =
        views_over(work.sweep, request, work.plan.expansion.axes, work.points, *database);
    fmt::print("\n{}", views_text(*database, views, out_terminal()));
  } catch (const std::exception& error) {
    print_safe(std::string("lcsm run: ") + error.what() + "\n");
  }
}

// If stdout is closed, continues; the program reports the error at its end.
void print_summary(const SweepEnd& end) {
  const std::size_t cancelled = end.counts.of(RunState::kCancelled);
  const std::string text =
      end.started ? end.counts.summary()
                  : fmt::format("{} done{}, nothing to do", end.counts.of(RunState::kDone),
                                cancelled > 0 ? fmt::format(", {} cancelled", cancelled) : "");
  std::fputs((end.sweep + ": " + text + "\n").c_str(), stdout);
}

void finish(const std::string& on_finish, const SweepEnd& end) {
  if (on_finish.empty()) return;
  SignalActions closed_pipes;  // the command gets the default action
  closed_pipes.set(SIGPIPE, SIG_DFL);
  std::fflush(stdout);
  const std::string trouble = run_on_finish(on_finish, end);
  if (!trouble.empty()) print_safe("lcsm run: " + results::safe_text(trouble) + "\n");
}

void judge(const SweepEnd& end, const std::string& retry) {
  const std::size_t failed = end.counts.of(RunState::kFailed);
  if (end.stopped)
    throw Failure(ExitCode::kInterrupted, "interrupted; run the same command to resume");
  if (const std::size_t cancelled = end.counts.of(RunState::kCancelled); cancelled > 0)
    print_safe(
        fmt::format("lcsm run: {} cancelled; to train after all: `{}`, then the same command\n",
                    counted(cancelled, "run"), results::safe_text(retry)));
  if (!end.started && failed > 0)
    throw Failure(ExitCode::kFailed,
                  fmt::format("{} failed: add --retry to retry", counted(failed, "run")));
  if (end.started && !end.all_done())
    throw Failure(ExitCode::kFailed, fmt::format("{} of {} not done", failed + end.counts.left(),
                                                 counted(end.counts.all(), "run")));
}

}  // namespace runner
