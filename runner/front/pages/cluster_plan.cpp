#include "runner/front/pages/cluster_plan.h"

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

std::string rounded(double hours) { return fmt::format("{:.{}f}", hours, hours < 10 ? 1 : 0); }

}  // namespace

ClusterPlan plan_on_cluster(const SweepPlan& plan, const SlurmProfile& profile, std::int64_t jobs) {
  ClusterPlan made{profile, 0, runs_at_once(profile, jobs), {}, "", 0, 0, 0};
  made.runs = std::count_if(plan.runs.begin(), plan.runs.end(),
                            [](const PlannedRun& run) { return run.to_do(); });
  if (made.runs == 0) return made;
  const std::int64_t elements = elements_for(profile, made.runs, made.at_once);
  try {
    const ClusterConfig config = read_cluster_config();
    const AccountLimits limits = read_account_limits(config, profile.account, profile.qos);
    made.arrays = arrays_for(elements, config, limits, 0);
  } catch (const SlurmError& error) {
    made.trouble = error.what();
    made.arrays = {elements};
  }
  made.element_hours = plan.seconds / 3600 / static_cast<double>(made.at_once);
  made.gpu_hours = made.element_hours * static_cast<double>(gpus_of(profile));
  made.cpu_hours = made.element_hours * static_cast<double>(profile.cpus);
  return made;
}

std::string cluster_plan_text(const ClusterPlan& plan) {
  if (plan.runs == 0) return "cluster     nothing to submit\n";
  const std::int64_t elements =
      std::accumulate(plan.arrays.begin(), plan.arrays.end(), std::int64_t{0});
  std::string text = fmt::format(
      "cluster     profile {}: {} in {}, {} at a time in each, at most {} per turn\n",
      results::safe_text(plan.profile.name), counted(elements, "array task"),
      counted(static_cast<std::int64_t>(plan.arrays.size()), "job array"),
      counted(plan.at_once, "run"), exact_duration(static_cast<double>(plan.profile.time)));
  text += fmt::format("cost        {} array task hours, {} CPU hours", rounded(plan.element_hours),
                      rounded(plan.cpu_hours));
  if (plan.gpu_hours > 0) text += fmt::format(", {} GPU hours", rounded(plan.gpu_hours));
  text += "\n";
  if (!plan.trouble.empty())
    text += fmt::format("limits      unknown: {}\n", results::safe_text(plan.trouble));
  return text;
}

nlohmann::ordered_json cluster_plan_json(const ClusterPlan& plan) {
  return {{"profile", plan.profile.name},
          {"runs", plan.runs},
          {"at_once", plan.at_once},
          {"arrays", plan.arrays},
          {"element_hours", plan.element_hours},
          {"cpu_hours", plan.cpu_hours},
          {"gpu_hours", plan.gpu_hours},
          {"limits", plan.trouble.empty() ? "known" : plan.trouble}};
}

}  // namespace runner
