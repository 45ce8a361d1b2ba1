// Turns a user's own data into a data set: read, checked and written once per content and reading.
#pragma once

#include <filesystem>

#include "runner/config/run/run_config.h"

namespace runner {

// Records the identity of the run's data: task.content, and for a user's own data also
// task.classes. Such data is prepared first if necessary. Throws DataMissing, IntakeError,
// lcsm::WriteError, and std::invalid_argument if the configuration contradicts the data.
void pin_data(RunConfig& config, const std::filesystem::path& workspace);

}  // namespace runner
