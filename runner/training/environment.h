// What is known of the process that trains a run, and of where it runs: the attempt line's
// environment, and environment.json of the run's folder.
#pragma once

#include <string>

#include "results/events/event.h"

namespace runner {

// Called when the threads are set.
results::Values environment_of_process();

std::string json_text(const results::Values& values);

}  // namespace runner
