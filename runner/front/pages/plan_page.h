// Prints the page of `lcsm plan`.
#pragma once

#include <string>

#include "runner/base/text/terminal.h"
#include "runner/sweeps/plan/sweep_plan.h"
#include "runner/sweeps/schedule/engine.h"

namespace runner {

struct PlanShown {
  bool all = false;  // lists every point, even on a terminal
  bool gpu = false;  // shows the cost on a GPU, even for short work
};
std::string plan_page(const SweepFile& sweep, const SweepRequest& request, const SweepPlan& plan,
                      const Terminal& terminal, const PlanShown& shown, const EngineCost& cost);
// `cost` is added under the name `engine`.
std::string plan_json(const SweepFile& sweep, const SweepRequest& request, const SweepPlan& plan,
                      const std::string& engine, const EngineCost& cost);

}  // namespace runner
