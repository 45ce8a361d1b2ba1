// `lcsm status`: prints a sweep's progress.
#include <fmt/format.h>

#include "runner/front/options/results_verb.h"
#include "runner/front/options/sweep_verb.h"
#include "runner/front/pages/status_page.h"
#include "runner/front/panel/folders.h"
#include "runner/front/verbs/verbs.h"
#include "runner/sweeps/plan/running_sweep.h"
#include "runner/sweeps/schedule/conductor_parts.h"

namespace runner {
namespace {

struct StatusOptions {
  SweepChoice choice;
  std::string workspace;
  bool json = false;
};

constexpr const char* kStatusFooter = R"text(Examples:
  lcsm status                       the current sweep, or the last one
  lcsm status quickstart
  lcsm status --json | jq .states

The default scale and settings are those of the last `lcsm run`. See also: lcsm watch, lcsm plan.)text";

void status(const StatusOptions& options) {
  const auto workspace = workspace_of(options.workspace);
  PanelFeed feed = open_feed(options.choice, workspace);
  feed.read_database_now();
  PanelFolders(feed).look(0);
  feed.refresh(0);
  PanelModel& model = feed.model();
  if (!model.runner.empty()) model.message = little_disk(free_bytes(workspace));
  if (options.json)
    fmt::print("{}", status_json(model));
  else
    fmt::print("{}", status_page(model, out_terminal()));
}

}  // namespace

void add_status(Verb& program) {
  Verb& verb =
      program.verb("status", "Show a sweep's progress: running, failed and remaining runs");
  StatusOptions& options = verb.runs(status);
  add_sweep_options(verb, &options.choice).required(false);
  verb.flag("--json", &options.json, "Print JSON (schema lcsm.status/1)");
  add_workspace_option(verb, &options.workspace);
  verb.footer(kStatusFooter);
}

}  // namespace runner
