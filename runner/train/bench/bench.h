// The verbs of `lcsm-train bench`, each in a file of its name.
#pragma once

#include "runner/base/cli/verb.h"

namespace runner {

void add_bench_eos(Verb& bench);
void add_bench_ets(Verb& bench);
void add_bench_step(Verb& bench);

}  // namespace runner
