// A run, from wherever it stands to its end.
#pragma once

#include <filesystem>

#include "results/events/run_state.h"
#include "runner/config/run_config.h"

namespace runner {

// Trains the run in its folder of the workspace and says how that ended; what is thrown came before
// the run had begun: results::BeingWritten, DataMissing, std::invalid_argument.
results::RunState train_run(const RunConfig& config, const std::filesystem::path& workspace);

}  // namespace runner
