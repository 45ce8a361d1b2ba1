// What `lcsm plan` prints.
#pragma once

#include <string>

#include "runner/plan/sweep_plan.h"
#include "runner/text/terminal.h"

namespace runner {

// `all`: every point also on a terminal.
std::string plan_page(const SweepFile& sweep, const SweepRequest& request, const SweepPlan& plan,
                      const Terminal& terminal, bool all);
std::string plan_json(const SweepFile& sweep, const SweepRequest& request, const SweepPlan& plan);

}  // namespace runner
