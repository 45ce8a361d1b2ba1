// `lcsm plan`: what a sweep would run, and what it costs.
#include <fmt/format.h>

#include "lcsm/base/allowance.h"
#include "runner/front/results_verb.h"
#include "runner/front/sweep_verb.h"
#include "runner/pages/plan_page.h"
#include "runner/process/exit_code.h"
#include "runner/process/stderr_text.h"
#include "runner/tasks/data_search.h"
#include "runner/verbs/verbs.h"
#include "runner/workspace/folder.h"

namespace runner {
namespace {

struct Options {
  SweepChoice choice;
  std::string workspace;
  int jobs = 0;
  bool json = false, all = false;
};

constexpr const char* kFooter = R"text(Examples:
  lcsm plan quickstart                      points, what is done, time, disk, memory
  lcsm plan table4-o-types --scale laptop --jobs 2
  lcsm plan figure3 --set seed=2 --all      every point

Times are those of similar runs in the workspace ("measured"), else those of other runs there, scaled
by FLOPs ("scaled"), else guessed from FLOPs alone ("guessed"). Memory and disk follow from the sizes
of the model.)text";

void show(const Options& options) {
  const SweepFile sweep = chosen_sweep(options.choice);
  SweepRequest request = options.choice.request;
  request.workspace = workspace_folder(options.workspace);
  const int cores = lcsm::read_allowance().cores();
  const int slots = options.jobs > 0 ? options.jobs : cores;
  const Known known = known_of(request.workspace);
  try {
    const SweepPlan plan = plan_sweep(sweep, request, known, slots, cores);
    if (options.json)
      fmt::print("{}", plan_json(sweep, request, plan));
    else
      fmt::print("{}", plan_page(sweep, request, plan, out_terminal(), options.all));
    for (const std::string& note : plan.expansion.notes) print_safe("lcsm plan: " + note + "\n");
  } catch (const DataMissing& missing) {
    throw Failure(ExitCode::kMissing, missing.what());
  }
}

}  // namespace

void add_plan(Verb& program) {
  Verb& verb = program.verb("plan", "Show what a sweep would run, and what it costs");
  Options& options = verb.runs(show);
  add_sweep_options(verb, &options.choice);
  verb.option("--jobs", &options.jobs, "Runs at the same time (default: one per core)")
      .range(1, 4096);
  verb.flag("--all", &options.all, "Print every point, also on a terminal");
  verb.flag("--json", &options.json, "Print JSON (schema lcsm.plan/1)");
  add_workspace_option(verb, &options.workspace);
  verb.footer(kFooter);
}

}  // namespace runner
