// Facts about the training process and its host, for the attempt's event and the run's
// environment.json.
#pragma once

#include <filesystem>
#include <string>

#include "results/events/event.h"
#include "runner/config/run/run_config.h"

namespace runner {

// argv, host, boot, pid and started_ticks (which together identify the process), program (the
// linker's hash of its content, `readelf -n`), commit, dirty, diff (the file of the run's folder
// with the changes to the commit), version, device, libtorch, cpu, cpu_capability, cores, memory,
// threads. Call it after setting the number of threads. `device`: the device that trains.
results::Values environment_of_process(const std::string& device = "cpu");

// `text`, the hash of the texts of a task that names its own, such as wikitext-103: the run's id
// does not contain it.
results::Values facts_of_data(const RunConfig& config, const std::filesystem::path& workspace);

// Why the run in `folder` was trained on other texts than the task of `config` has now; "" if not.
std::string why_other_data(const RunConfig& config, const std::filesystem::path& workspace,
                           const std::filesystem::path& folder);

double peak_mebibytes();  // peak memory of this process

std::string json_text(const results::Values& values);

}  // namespace runner
