// Trains a run to its end, from its newest checkpoint if it has one.
#pragma once

#include <cstdint>
#include <filesystem>

#include "results/events/run_state.h"
#include "runner/config/run/run_config.h"

namespace runner {

// Trains the run in its folder of the workspace and returns how it ended. Throws only before the
// run has begun: results::BeingWritten, DataMissing, std::invalid_argument, and std::runtime_error
// without the GPU that run.device requires; also RunFailure (busy) when another process trains it
// or has taken it over. `claim`: made for this process; 0: makes its own.
results::RunState train_run(const RunConfig& config, const std::filesystem::path& workspace,
                            std::int64_t claim = 0);

}  // namespace runner
