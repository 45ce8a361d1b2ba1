// Verbs below `lcsm data` that have a file of their own.
#pragma once

#include "runner/base/cli/verb.h"

namespace runner {

inline constexpr int kMostExamples = 100'000'000;

void add_data_make(Verb& data);
void add_data_get(Verb& data);

}  // namespace runner
