#include "runner/sweeps/schedule/work.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <stdexcept>
#include <utility>

#include "lcsm/base/words.h"
#include "runner/base/host/resources.h"
#include "runner/base/process/exit_code.h"
#include "runner/base/process/stderr_text.h"
#include "runner/base/text/counts.h"
#include "runner/config/keys/run_keys.h"
#include "runner/config/run/run_line.h"
#include "runner/data/tasks/task.h"
#include "runner/models/families/on_a_gpu.h"
#include "runner/sweeps/plan/running_sweep.h"
#include "runner/workspace/control.h"

namespace runner {
namespace {

namespace fs = std::filesystem;
using results::RunState;

// The parts of a configuration that starting its run needs.
struct Configured {
  std::string toml;  // resolved; empty where the run is done
  int threads = 0;   // run.threads
};

// Collects the reasons why runs cannot use a GPU: each reason with the first run that has it, and
// how many runs are refused.
class GpuRefusals {
 public:
  void look(const Point& point, const RunConfig& config) {
    ++asked_;
    try {
      check_for_gpu(plan_model(config, task_of(config).vocabulary(config).value));
    } catch (const std::invalid_argument& error) {
      ++refused_;
      whys_.try_emplace(error.what(), point.id.substr(0, 8));
    }
  }

  void report() const {
    if (whys_.empty()) return;
    std::string all =
        fmt::format("{} of {} cannot run on a GPU:", refused_, counted(asked_, "run"));
    for (const auto& [why, id] : whys_) all += "\n" + id + ": " + why;
    throw Failure(ExitCode::kUsage, all);
  }

 private:
  std::int64_t asked_ = 0, refused_ = 0;
  std::map<std::string, std::string> whys_;
};

// Expands the sweep once; keeps the needed part of each configuration.
std::vector<Configured> plan_work(const SweepRequest& request, const Known& known, Work* work) {
  std::vector<Configured> configured;
  GpuRefusals gpu;
  const auto keep = [&](const PlannedRun& run, const RunConfig& config) {
    const bool needs_gpu = run.to_do() && config.is("run.device"_key, "cuda");
    work->needs_gpu = work->needs_gpu || needs_gpu;
    if (needs_gpu || (run.to_do() && !work->gpus.empty())) gpu.look(run.point, config);
    configured.emplace_back();
    if (run.state != RunState::kDone)
      configured.back() = {toml_text(config, false),
                           static_cast<int>(config.integer("run.threads"_key))};
    if (work->points.size() <= kMostShown)
      work->points.push_back({run.point.id, parameter_values(config), model_label(config)});
  };
  work->plan = plan_sweep(work->sweep, request, known, {work->slots, work->allowed.cores()}, keep);
  gpu.report();
  if (work->points.size() > kMostShown) work->points.clear();
  return configured;
}

// A run that another process trains counts: the scheduler waits for it. A refused run fails until
// its event file is repaired.
bool starts(const PlannedRun& run, bool retry) {
  return run.to_do() || run.state == RunState::kRunning ||
         (retry && has_failed(run.state) && run.state != RunState::kRefused);
}

// Includes runs that start only at a user's request. Empty if no run is to start.
std::vector<RunToDo> to_do(bool retry, const Work& work, std::vector<Configured> configured) {
  std::vector<RunToDo> runs;
  for (std::size_t i = 0; i < work.plan.runs.size(); ++i) {
    const PlannedRun& run = work.plan.runs[i];
    if (run.state == RunState::kDone) continue;
    runs.push_back({{run.point.id, run.seconds, run.memory_bytes, run.last,
                     run.state == RunState::kCancelled, starts(run, retry)},
                    describe_point(work.plan.expansion.axes, run.point.steps),
                    std::move(configured[i].toml),
                    configured[i].threads,
                    run.disk_bytes});
  }
  if (count_to_start(runs) == 0) runs.clear();
  return runs;
}

int slots_of(const Work& work, const RunBudget& budget) {
  if (budget.jobs > 0) return budget.jobs;
  return work.gpus.empty() ? work.allowed.cores() : static_cast<int>(work.gpus.size());
}

}  // namespace

Work look_at_work(const SweepFile& sweep, const fs::path& workspace, const SweepRequest& request,
                  const RunBudget& budget, bool retry) {
  Work work{.sweep = sweep,
            .workspace = workspace,
            .allowed = lcsm::read_allowance(),
            .gpus = chosen_gpus(budget.gpus)};
  work.slots = slots_of(work, budget);
  work.mark = {sweep.name, sweep.title, sweep.paper, request.scale,
               lcsm::joined(request.settings, " ")};
  std::vector<Configured> configured = plan_work(
      request, budget.on_any_host ? known_of_all_hosts(workspace) : known_of(workspace), &work);
  work.runs = to_do(retry, work, std::move(configured));
  return work;
}

void mark_points(const Work& work) {
  const results::SweepMark& mark = work.mark;
  for (const PlannedRun& run : work.plan.runs) {
    const fs::path folder = results::run_folder(work.workspace, run.point.id);
    if (run.state == RunState::kNew || !fs::exists(folder)) continue;
    if (!fs::exists(folder / results::kMarksFolder / (mark.sweep + ".json")))
      results::write_mark(folder, mark);
  }
}

Work prepare_work(const SweepFile& sweep, const fs::path& workspace, const SweepRequest& request,
                  const RunBudget& budget, bool retry) {
  forget_started(workspace);
  if (budget.jobs > 0) set_jobs(workspace, std::nullopt);
  Work work = look_at_work(sweep, workspace, request, budget, retry);
  mark_points(work);
  write_running(workspace, sweep, request, work.slots);
  return work;
}

// NVML may be missing where the driver is not, as in some containers.
void require_gpu(const Work& work) {
  if (!work.needs_gpu || !work.gpus.empty() || fs::exists("/dev/nvidiactl")) return;
  const Gpus gpus = find_gpus();
  if (gpus.devices.empty())
    throw Failure(ExitCode::kMissing,
                  "expected a GPU, which run.device = \"cuda\" needs, got none: " + gpus.reason +
                      "; set run.device to auto or cpu, or choose other hosts with --on");
}

void report_missing_data(const SweepPlan& plan) {
  const auto starts = [](const PlannedRun& run) { return run.to_do() && !run.lacks_data; };
  if (plan.missing_data.empty()) return;
  const std::string all = lcsm::joined(plan.missing_data, "\n");
  if (std::none_of(plan.runs.begin(), plan.runs.end(), starts))
    throw Failure(ExitCode::kMissing, all);
  print_safe("lcsm run: " + all + "\n");
}

}  // namespace runner
