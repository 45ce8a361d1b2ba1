// Finds the sweep named on a command line, at the given scale and with the given settings.
#pragma once

#include <string>

#include "runner/sweeps/language/points.h"

namespace runner {

struct SweepChoice {
  std::string name;
  SweepRequest request;
};

// Throws Failure if the sweep is not found.
SweepFile chosen_sweep(const SweepChoice& choice);

// "mine, scale laptop, optim.steps=2500"; the scale only if the sweep has several.
std::string described(const SweepFile& sweep, const SweepRequest& request);
// "lcsm run mine.toml --scale laptop --set optim.steps=2500"
std::string run_command(const SweepFile& sweep, const SweepRequest& request);

}  // namespace runner
