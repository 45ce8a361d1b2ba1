// Prints the page of `lcsm plan`.
#pragma once

#include <string>

#include "runner/base/text/terminal.h"
#include "runner/front/pages/cluster_plan.h"
#include "runner/sweeps/plan/sweep_plan.h"

namespace runner {

// `all`: every point also on a terminal. `cluster`: with --on slurm.
std::string plan_page(const SweepFile& sweep, const SweepRequest& request, const SweepPlan& plan,
                      const Terminal& terminal, bool all, const ClusterPlan* cluster = nullptr);
std::string plan_json(const SweepFile& sweep, const SweepRequest& request, const SweepPlan& plan,
                      const ClusterPlan* cluster = nullptr);

}  // namespace runner
