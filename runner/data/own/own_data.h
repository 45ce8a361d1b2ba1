// A user's own data as a data set: read, checked and written once for each content and reading.
#pragma once

#include <filesystem>

#include "runner/config/run/run_config.h"

namespace runner {

// Makes the configuration say what its data is: task.content, and of a user's own data also
// task.classes; such data is prepared first if it is not. Throws DataMissing, IntakeError,
// lcsm::WriteError, and std::invalid_argument if the configuration says something else.
void pin_data(RunConfig& config, const std::filesystem::path& workspace);

}  // namespace runner
