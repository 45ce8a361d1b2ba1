// Runs `lcsm` within this process, whose changes of files are counted (kill_at_write.h). Its output
// goes to the files `out` and `err` in the sweep's folder.
#pragma once

#include "tests/runner/fake_sweep.h"

namespace runner {

// Returns the exit status. `words` begin with the program's name.
int run_here(const FakeSweep& sweep, Words words);

// Runs `lcsm` in a forked child, which saves loading the program.
int lcsm_here(const FakeSweep& sweep, const Words& words);

}  // namespace runner
