// Options shared by verbs about sweeps and their runs: which runs, at which scale, with which
// overrides.
#pragma once

#include "runner/base/cli/verb.h"
#include "runner/sweeps/language/choice.h"
#include "runner/sweeps/plan/run_choice.h"

namespace runner {

// Adds SWEEP, `--scale` and `--set`, with their completions; returns SWEEP, which is required.
Option& add_sweep_options(Verb& verb, SweepChoice* choice);
// `--scale` and `--set` alone, for a verb that has its own SWEEP.
void add_request_options(Verb& verb, SweepRequest* request);
// Adds RUN|SWEEP... and `--scale`; returns RUN|SWEEP, which is required.
Option& add_runs(Verb& verb, RunChoice* choice);

// Adds RUN|SWEEP..., `--scale` and `--set`; returns RUN|SWEEP, which is required.
Option& add_run_choice(Verb& verb, RunChoice* choice);

}  // namespace runner
