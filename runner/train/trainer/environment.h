// Facts about the training process and its host: the environment of the attempt's event, and
// environment.json of the run's folder.
#pragma once

#include <string>

#include "results/events/event.h"

namespace runner {

// Call it after setting the number of threads. `device`: that trains.
results::Values environment_of_process(const std::string& device = "cpu");

double peak_mebibytes();  // the most memory that this process held

std::string json_text(const results::Values& values);

}  // namespace runner
