// `lcsm watch`: shows the panel of a sweep that another process runs.
#include <fmt/format.h>
#include <poll.h>
#include <unistd.h>

#include <utility>

#include "runner/base/process/exit_code.h"
#include "runner/base/process/steady_time.h"
#include "runner/front/options/results_verb.h"
#include "runner/front/options/sweep_verb.h"
#include "runner/front/panel/folders.h"
#include "runner/front/panel/panel.h"
#include "runner/front/panel/rows.h"
#include "runner/front/verbs/verbs.h"
#include "runner/sweeps/plan/running_sweep.h"

namespace runner {
namespace {

using results::RunState;

struct WatchOptions {
  SweepChoice choice;
  std::string workspace;
  bool plain = false;
};

constexpr const char* kWatchFooter = R"text(Examples:
  lcsm watch                        the current sweep, or the last one
  lcsm watch quickstart --workspace /data/lcsm

It changes nothing, and ends when all runs are done or you press q. In a pipe, it prints a line
whenever a run changes state, and also ends when no process runs the sweep. Exit code 1: some runs
are not done.

`lcsm serve` shows the curves of all runs in a browser.)text";

void wait(int handle) {
  pollfd key{handle, POLLIN, 0};
  poll(&key, 1, 250);
}

// False: the user left before the end.
bool show_panel(PanelFeed& feed) {
  PanelFolders folders(feed);
  Panel panel(feed, STDERR_FILENO, true);
  while (true) {
    folders.look(steady_seconds());
    const bool leave = !panel.turn(steady_seconds()).empty();
    if (leave || feed.model().counts().left() == 0) return !leave;
    wait(panel.handle());
  }
}

void print_changes(const PanelModel& model, std::vector<RunState>* before) {
  for (std::size_t i = 0; i < model.runs.size(); ++i) {
    const PanelRun& run = model.runs[i];
    const RunState state = counted_as(run.state);
    if (std::exchange((*before)[i], state) == state) continue;
    std::string text = fmt::format("{}  ", run.id.substr(0, 8));
    for (std::size_t axis = 0; axis < model.axes.size(); ++axis)
      text += fmt::format("{} = {}, ", model.axes[axis], run.at[axis]);
    text += name_of(state);
    fmt::print("{}\n",
               shown_text({.unicode = true}, text + (run.why.empty() ? "" : ": ") + run.why));
  }
  std::fflush(stdout);
}

void print_lines(PanelFeed& feed) {
  PanelFolders folders(feed);
  std::vector<RunState> before;
  for (const PanelRun& run : feed.model().runs) before.push_back(counted_as(run.state));
  while (true) {
    folders.look(steady_seconds());
    print_changes(feed.model(), &before);
    if (feed.model().counts().left() == 0 || feed.model().runner.empty()) return;
    wait(-1);
  }
}

void watch(const WatchOptions& options) {
  PanelFeed feed = open_feed(options.choice, workspace_of(options.workspace));
  bool stayed = true;
  if (!options.plain && can_hold_panel(STDERR_FILENO))
    stayed = show_panel(feed);
  else
    print_lines(feed);
  const RunCounts counts = feed.model().counts();
  fmt::print("{}: {}\n", feed.model().sweep, counts.summary());
  if (stayed && counts.of(RunState::kDone) < counts.all()) throw Failure(ExitCode::kFailed, "");
}

}  // namespace

void add_watch(Verb& program) {
  Verb& verb = program.verb("watch", "Watch a sweep that another process runs");
  WatchOptions& options = verb.runs(watch);
  add_sweep_options(verb, &options.choice).required(false);
  verb.flag("--plain", &options.plain, "Print lines instead of a panel");
  add_workspace_option(verb, &options.workspace);
  verb.footer(kWatchFooter);
}

}  // namespace runner
