// Prints the page of `lcsm plan`.
#pragma once

#include <string>

#include "runner/base/text/terminal.h"
#include "runner/sweeps/plan/sweep_plan.h"
#include "runner/sweeps/schedule/engine.h"

namespace runner {

// `all`: every point also on a terminal. `engine`: the name under which it adds
// its `cost`.
std::string plan_page(const SweepFile& sweep, const SweepRequest& request, const SweepPlan& plan,
                      const Terminal& terminal, bool all, const EngineCost& cost);
std::string plan_json(const SweepFile& sweep, const SweepRequest& request, const SweepPlan& plan,
                      const std::string& engine, const EngineCost& cost);

}  // namespace runner
