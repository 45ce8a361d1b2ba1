#include "runner/cluster/slurm/cluster_cost.h"

#include <fmt/format.h>

#include <algorithm>
#include <numeric>

#include "results/text/escape.h"
#include "runner/base/text/counts.h"
#include "runner/base/text/duration.h"
#include "runner/cluster/slurm/batch.h"
#include "runner/cluster/slurm/commands.h"
#include "runner/cluster/slurm/submit.h"

namespace runner {
namespace {

struct ClusterCost {
  std::int64_t runs = 0, at_once = 1;     // runs to submit; runs per array task at once
  std::vector<std::int64_t> arrays = {};  // array tasks per array
  std::string trouble = {};               // why the cluster's limits are unknown
  double element_hours = 0, gpu_hours = 0, cpu_hours = 0;
};

ClusterCost cost_of(const SweepPlan& plan, const SlurmProfile& profile, std::int64_t jobs) {
  ClusterCost cost{.at_once = runs_at_once(profile, jobs)};
  cost.runs = std::count_if(plan.runs.begin(), plan.runs.end(),
                            [](const PlannedRun& run) { return run.to_do(); });
  if (cost.runs == 0) return cost;
  const std::int64_t elements = elements_for(profile, cost.runs, cost.at_once);
  try {
    const ClusterConfig config = read_cluster_config();
    const AccountLimits limits = read_account_limits(config, profile.account, profile.qos);
    cost.arrays = arrays_for(elements, config, limits, 0);
  } catch (const SlurmError& error) {
    cost.trouble = error.what();
    cost.arrays = {elements};
  }
  cost.element_hours = plan.seconds / 3600 / static_cast<double>(cost.at_once);
  cost.gpu_hours = cost.element_hours * static_cast<double>(gpus_of(profile));
  cost.cpu_hours = cost.element_hours * static_cast<double>(profile.cpus);
  return cost;
}

std::string rounded(double hours) { return fmt::format("{:.{}f}", hours, hours < 10 ? 1 : 0); }

std::string cost_text(const ClusterCost& cost, const SlurmProfile& profile) {
  if (cost.runs == 0) return "cluster     nothing to submit\n";
  const std::int64_t elements =
      std::accumulate(cost.arrays.begin(), cost.arrays.end(), std::int64_t{0});
  std::string text =
      fmt::format("cluster     profile {}: {} in {}, {} at a time in each, at most {} per turn\n",
                  results::safe_text(profile.name), counted(elements, "array task"),
                  counted(cost.arrays.size(), "job array"), counted(cost.at_once, "run"),
                  exact_duration(static_cast<double>(profile.time)));
  text += fmt::format("cost        {} array task hours, {} CPU hours", rounded(cost.element_hours),
                      rounded(cost.cpu_hours));
  if (cost.gpu_hours > 0) text += fmt::format(", {} GPU hours", rounded(cost.gpu_hours));
  text += "\n";
  if (!cost.trouble.empty())
    text += fmt::format("limits      unknown: {}\n", results::safe_text(cost.trouble));
  return text;
}

}  // namespace

EngineCost cost_on_cluster(const SweepPlan& plan, const SlurmProfile& profile, std::int64_t jobs) {
  const ClusterCost cost = cost_of(plan, profile, jobs);
  return {cost_text(cost, profile),
          {{"profile", profile.name},
           {"runs", cost.runs},
           {"at_once", cost.at_once},
           {"arrays", cost.arrays},
           {"element_hours", cost.element_hours},
           {"cpu_hours", cost.cpu_hours},
           {"gpu_hours", cost.gpu_hours},
           {"limits", cost.trouble.empty() ? "known" : cost.trouble}}};
}

}  // namespace runner
