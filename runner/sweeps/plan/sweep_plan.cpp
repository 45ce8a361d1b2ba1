#include "runner/sweeps/plan/sweep_plan.h"

#include <algorithm>
#include <map>
#include <optional>
#include <queue>
#include <set>
#include <utility>

#include "results/events/checkpoints.h"
#include "results/events/run_folder.h"
#include "runner/base/process/process_facts.h"
#include "runner/config/keys/optim_keys.h"
#include "runner/data/own/data_sizes.h"
#include "runner/data/own/own_data.h"
#include "runner/data/tasks/set_task.h"
#include "runner/data/tasks/task.h"
#include "runner/sweeps/plan/open_results.h"
#include "runner/sweeps/plan/run_feed.h"

namespace runner {
namespace {

// The largest remaining runs that train simultaneously.
double memory_beside(std::vector<double> bytes, int slots) {
  std::sort(bytes.rbegin(), bytes.rend());
  double sum = 0;
  for (std::size_t i = 0; i < std::min(bytes.size(), static_cast<std::size_t>(slots)); ++i)
    sum += bytes[i];
  return sum;
}

// The data of runs, looked up once per task.
class DataCheck {
 public:
  struct Found {
    std::string missing;          // advice about missing data; "" if none is missing
    std::set<std::string> makes;  // commands that generate it
    std::string stated;           // the command that must have generated existing data, or ""
    std::optional<DataSizes> sizes;
  };

  explicit DataCheck(std::filesystem::path workspace) : workspace_(std::move(workspace)) {}

  const Found& look(const RunConfig& config) {
    const auto [found, added] = found_.try_emplace(task_text(config));
    if (!added) return found->second;
    try {
      task_of(config).require(config, workspace_);
      found->second.sizes = data_sizes(config, workspace_);
      found->second.stated = stated_command(config, workspace_);
    } catch (const DataMissing& error) {
      found->second.missing = error.what();
      found->second.makes = error.makes;
    }
    return found->second;
  }

 private:
  std::filesystem::path workspace_;
  std::map<std::string, Found> found_;
};

PlannedRun planned(const Point& point, const RunConfig& config, const DataCheck::Found& data,
                   const Known& known, const std::filesystem::path& workspace,
                   const Capacity& capacity) {
  const RunCost cost = cost_of(config, data.sizes);
  const Estimate estimate =
      known.history.estimate(config, cost, std::max(1, capacity.cores / capacity.slots));
  PlannedRun run{.point = point,
                 .steps = cost.steps,
                 .memory_bytes = cost.memory_bytes,
                 .disk_bytes = cost.disk_bytes,
                 .gpu_bytes = cost.gpu_bytes,
                 .source = estimate.source};
  if (const auto found = known.states.find(point.id); found != known.states.end()) {
    const RunStatus& status = found->second;
    run.state = status.state;
    run.last = status.last;
    run.message = status.message;
    run.steps_done = status.steps;
  }
  if (!run.to_do() && run.state != results::RunState::kRunning) return run;
  if (run.to_do() && run.last != results::RunState::kNew)
    run.steps_done = results::newest_checkpoint(results::run_folder(workspace, point.id));
  const double done = cost.steps > 0 ? static_cast<double>(run.steps_done) / cost.steps : 0;
  run.whole_seconds = estimate.seconds;
  const double left = std::clamp(1 - done, 0.0, 1.0);
  run.seconds = estimate.seconds * left;
  const bool bf16 = config.is("optim.precision"_key, "bf16");
  run.gpu_bf16_seconds = gpu_seconds(cost, *capacity.gpu, GpuPrecision::kBfloat16) * left;
  run.gpu_seconds =
      bf16 ? run.gpu_bf16_seconds : gpu_seconds(cost, *capacity.gpu, GpuPrecision::kFloat32) * left;
  return run;
}

// Estimates runs in progress from their speed, and scales the guesses for the others accordingly.
void use_speeds(const std::filesystem::path& workspace, std::vector<PlannedRun>* runs) {
  double took = 0, estimated = 0;
  for (PlannedRun& run : *runs) {
    if (run.state != results::RunState::kRunning || run.steps <= 0) continue;
    RunFeed feed(results::run_folder(workspace, run.point.id));
    feed.refresh();
    const double speed = feed.progress().steps_per_second;
    if (!(speed > 0)) continue;
    run.steps_done = feed.progress().step;
    run.seconds = std::max(0.0, run.steps - static_cast<double>(run.steps_done)) / speed;
    took += run.steps / speed;
    estimated += run.whole_seconds;
  }
  if (!(took > 0 && estimated > 0)) return;
  for (PlannedRun& run : *runs)
    if (run.to_do() && run.source != "measured") {
      run.seconds *= took / estimated;
      run.source = "scaled";
    }
}

Known known_on(const std::filesystem::path& workspace, const std::string& host) {
  if (!std::filesystem::is_directory(workspace)) return {};
  const auto database = open_results(workspace);
  return {run_states(*database, workspace), RunHistory(*database, host, workspace)};
}

}  // namespace

Known known_of(const std::filesystem::path& workspace) { return known_on(workspace, host_name()); }

Known known_of_all_hosts(const std::filesystem::path& workspace) { return known_on(workspace, ""); }

double time_with_slots(std::vector<double> seconds, int slots) {
  std::sort(seconds.rbegin(), seconds.rend());
  std::priority_queue<double, std::vector<double>, std::greater<>> free;
  for (int i = 0; i < std::max(1, slots); ++i) free.push(0);
  double last = 0;
  for (const double each : seconds) {
    const double end = free.top() + each;
    free.pop();
    free.push(end);
    last = std::max(last, end);
  }
  return last;
}

SweepPlan plan_sweep(const SweepFile& sweep, const SweepRequest& request, const Known& known,
                     const Capacity& capacity, const VisitPlannedRun& visit) {
  SweepPlan plan;
  plan.gpu = capacity.gpu;
  plan.slots = capacity.slots;
  DataCheck data(request.workspace);
  std::set<std::string> missing;
  plan.expansion = expand(sweep, request, [&](const Point& point, const RunConfig& config) {
    const DataCheck::Found& found = data.look(config);
    plan.runs.push_back(planned(point, config, found, known, request.workspace, capacity));
    PlannedRun& run = plan.runs.back();
    if (run.to_do() && !found.missing.empty()) {
      run.lacks_data = true;
      missing.insert(found.missing);
      plan.makes.insert(found.makes.begin(), found.makes.end());
    }
    if (!found.stated.empty()) plan.stated.insert(found.stated);
    if (visit) visit(plan.runs.back(), config);
  });
  use_speeds(request.workspace, &plan.runs);
  plan.missing_data.assign(missing.begin(), missing.end());
  std::vector<double> seconds, memory;
  for (const PlannedRun& run : plan.runs) {
    plan.seconds += run.seconds;
    if (run.seconds > 0) seconds.push_back(run.seconds);
    if (!run.to_do()) continue;
    memory.push_back(run.memory_bytes);
    plan.disk_bytes += run.disk_bytes;
    plan.gpu_seconds += run.gpu_seconds;
    plan.gpu_bf16_seconds += run.gpu_bf16_seconds;
    plan.gpu_bytes = std::max(plan.gpu_bytes, run.gpu_bytes);
  }
  plan.eta_seconds = time_with_slots(std::move(seconds), plan.slots);
  plan.memory_bytes = memory_beside(std::move(memory), plan.slots);
  return plan;
}

DataCommands data_commands(const SweepFile& sweep, const SweepRequest& request,
                           const Known& known) try {
  SweepPlan plan = plan_sweep(sweep, request, known, {});
  return {std::move(plan.makes), std::move(plan.stated)};
} catch (const DataMissing& error) {  // points without an identity
  return {error.makes, {}};
}

}  // namespace runner
