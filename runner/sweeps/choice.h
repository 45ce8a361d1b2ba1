// A sweep as it is named: which one, at which scale, with what set over it.
#pragma once

#include <string>

#include "runner/sweeps/points.h"

namespace runner {

struct SweepChoice {
  std::string name;
  SweepRequest request;
};

// The sweep that is meant. Throws Failure when there is none.
SweepFile chosen_sweep(const SweepChoice& choice);

// "mine, scale laptop, optim.steps=2500": the scale where the sweep has several.
std::string described(const SweepFile& sweep, const SweepRequest& request);
// "lcsm run mine.toml --scale laptop --set optim.steps=2500"
std::string run_command(const SweepFile& sweep, const SweepRequest& request);

// Data that a point's identity needs may be missing: then throws Failure too.
Expansion expand(const SweepFile& sweep, const SweepChoice& choice, const VisitPoint& visit);

}  // namespace runner
