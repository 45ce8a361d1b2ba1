// The verbs of `lcsm-train`, each in a file of its name.
#pragma once

#include "runner/base/cli/verb.h"

namespace runner {

void add_apply(Verb& program);
void add_train_eval(Verb& program);
void add_gates(Verb& program);
void add_params(Verb& program);
void add_run(Verb& program);
void add_sample(Verb& program);
void add_tune(Verb& program);

}  // namespace runner
