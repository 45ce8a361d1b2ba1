// What the verbs about a sweep share: which one, at which scale, with what set over it.
#pragma once

#include <CLI/CLI.hpp>
#include <string>

#include "runner/sweeps/choice.h"

namespace runner {

// Adds SWEEP, `--scale` and `--set`, with their completions.
void add_sweep_options(CLI::App* verb, SweepChoice* choice);
// The last two alone, of a SWEEP that the verb has.
void add_request_options(CLI::App* verb, SweepRequest* request);

}  // namespace runner
