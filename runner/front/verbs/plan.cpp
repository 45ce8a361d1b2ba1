// `lcsm plan`: shows what a sweep would run, and its cost.
#include <fmt/format.h>

#include <filesystem>

#include "lcsm/base/allowance.h"
#include "lcsm/base/row_names.h"
#include "runner/base/process/stderr_text.h"
#include "runner/cluster/launch/engines.h"
#include "runner/front/options/results_verb.h"
#include "runner/front/options/sweep_verb.h"
#include "runner/front/pages/plan_page.h"
#include "runner/front/verbs/verbs.h"
#include "runner/sweeps/plan/running_sweep.h"
#include "runner/workspace/control.h"
#include "runner/workspace/folder.h"
#include "runner/workspace/run_lock.h"

namespace runner {
namespace {

struct PlanOptions {
  SweepChoice choice;
  std::string workspace, engine{kEngines[0].name}, profile, gpu;
  int jobs = 0;
  bool json = false, all = false;
};

constexpr const char* kPlanFooter = R"text(Examples:
  lcsm plan quickstart                      points, progress, time, disk, memory
  lcsm plan table4-o-types --scale laptop --jobs 2
  lcsm plan figure3 --on slurm --profile gpu   the jobs and their cost, before anything is submitted
  lcsm plan figure3 --set seed=2 --all      every point
  lcsm plan table4-o-types --gpu h200       time and memory on a GPU

Times come from similar runs in the workspace ("measured"), else from its other runs or those in
progress, scaled by FLOPs ("scaled"), else from FLOPs alone ("guessed"). Memory and disk follow
from the model's sizes. The cost on a GPU is guessed from steps measured on an H200, which the
guess meets within a factor of 2. It is printed for an H100 if the work takes more than a day.)text";

// The --jobs of the `lcsm run` that is working there; 0: there is none.
int jobs_of_runner(const std::filesystem::path& workspace) {
  const auto running = who_runs(workspace) ? read_running(workspace) : std::nullopt;
  return running ? running->jobs : 0;
}

void show_plan(const PlanOptions& options) {
  const SweepFile sweep = chosen_sweep(options.choice);
  SweepRequest request = options.choice.request;
  request.workspace = workspace_folder(options.workspace);
  const int cores = lcsm::read_allowance().cores();
  const int jobs = options.jobs > 0 ? options.jobs : jobs_of_runner(request.workspace);
  const EngineRow& on = *lcsm::row_named(kEngines, options.engine);
  const auto engine = on.make({.workspace = request.workspace,
                               .sweep = sweep,
                               .profile = options.profile,
                               .budget = {.jobs = jobs}});
  const int slots = engine->slots() > 0 ? engine->slots() : cores;
  const Known known =
      on.attended ? known_of(request.workspace) : known_of_all_hosts(request.workspace);
  Capacity capacity{slots, cores};
  if (!options.gpu.empty()) capacity.gpu = lcsm::row_named(kGpuKinds, options.gpu);
  const SweepPlan plan = plan_sweep(sweep, request, known, capacity);
  const EngineCost cost = engine->cost(plan);
  if (options.json)
    fmt::print("{}", plan_json(sweep, request, plan, options.engine, cost));
  else
    fmt::print("{}", plan_page(sweep, request, plan, out_terminal(),
                               {.all = options.all, .gpu = !options.gpu.empty()}, cost));
  for (const std::string& note : plan.expansion.notes) print_safe("lcsm plan: " + note + "\n");
}

}  // namespace

void add_plan(Verb& program) {
  Verb& verb = program.verb("plan", "Show what a sweep would run and what it costs");
  PlanOptions& options = verb.runs(show_plan);
  add_sweep_options(verb, &options.choice);
  verb.option("--jobs", &options.jobs,
              "Runs at the same time (default: as `lcsm run` has now, else one per core)")
      .range(1, kMostJobs);
  verb.option("--on", &options.engine, "Where the runs would train (default: local)")
      .type("ENGINE")
      .choices(choices_of(kEngines));
  verb.option("--profile", &options.profile,
              "With --on slurm: the profile of slurm.toml (default: the only one)")
      .type("NAME");
  verb.option("--gpu", &options.gpu, "Also estimate the cost on one GPU of this kind")
      .type("KIND")
      .choices(choices_of(kGpuKinds));
  verb.flag("--all", &options.all, "Print every point, even on a terminal");
  verb.flag("--json", &options.json, "Print JSON (schema lcsm.plan/1)");
  add_workspace_option(verb, &options.workspace);
  verb.footer(kPlanFooter);
}

}  // namespace runner
