// Prints the page of `lcsm plan`.
#pragma once

#include <string>

#include "runner/base/text/terminal.h"
#include "runner/sweeps/plan/sweep_plan.h"
#include "runner/sweeps/schedule/engine.h"

namespace runner {

struct PlanShown {
  bool all = false;  // every point also on a terminal
  bool gpu = false;  // the cost on a GPU, also of short work
};
std::string plan_page(const SweepFile& sweep, const SweepRequest& request, const SweepPlan& plan,
                      const Terminal& terminal, const PlanShown& shown, const EngineCost& cost);
// `engine`: the name under which it adds its `cost`.
std::string plan_json(const SweepFile& sweep, const SweepRequest& request, const SweepPlan& plan,
                      const std::string& engine, const EngineCost& cost);

}  // namespace runner
