// The addition of `lcsm plan --on slurm`: the jobs that a sweep would become, and their cost.
#pragma once

#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "runner/cluster/slurm/profile.h"
#include "runner/sweeps/plan/sweep_plan.h"

namespace runner {

struct ClusterPlan {
  SlurmProfile profile;
  std::int64_t runs = 0, at_once = 1;  // runs to submit; runs per array task at once
  std::vector<std::int64_t> arrays;    // array tasks per array
  std::string trouble;                 // why the cluster's limits are unknown
  double element_hours = 0, gpu_hours = 0, cpu_hours = 0;
};

// Asks the cluster for its limits; without an answer they are left out. Throws
// std::invalid_argument if the limits allow no job.
ClusterPlan plan_on_cluster(const SweepPlan& plan, const SlurmProfile& profile, std::int64_t jobs);

std::string cluster_plan_text(const ClusterPlan& plan);
nlohmann::ordered_json cluster_plan_json(const ClusterPlan& plan);

}  // namespace runner
