// The jobs that a sweep would become, and their cost, before anything is submitted.
#pragma once

#include "runner/cluster/slurm/profile.h"
#include "runner/sweeps/schedule/engine.h"

namespace runner {

// Asks the cluster for its limits; without an answer they are left out. `jobs`: as in `lcsm run
// --jobs`. Throws std::invalid_argument if the limits allow no job.
EngineCost cost_on_cluster(const SweepPlan& plan, const SlurmProfile& profile, std::int64_t jobs);

}  // namespace runner
