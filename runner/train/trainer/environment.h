// Facts about the training process and its host, for the attempt's event and the run's
// environment.json.
#pragma once

#include <string>

#include "results/events/event.h"

namespace runner {

// argv, host, boot, pid and started_ticks (which together identify the process), program (the
// linker's hash of its content, `readelf -n`), commit, dirty, diff (the file of the run's folder
// with the changes to the commit), version, device, libtorch, cpu, cpu_capability, cores, memory,
// threads. Call it after setting the number of threads. `device`: the device that trains.
results::Values environment_of_process(const std::string& device = "cpu");

double peak_mebibytes();  // peak memory of this process

std::string json_text(const results::Values& values);

}  // namespace runner
