// Starts a model with weights of another run (model.from).
#pragma once

#include <filesystem>
#include <string>

#include "runner/config/run/run_config.h"
#include "runner/train/trainer/trainer.h"

namespace runner {

// Copies the tensors that have the same name and shape at that run's best step; of an embedding or
// of positions with another number of rows, the first ones of both. The others keep their initial
// values. Returns a sentence that says which are which. Throws RunFailure if that
// checkpoint is missing, is not the one that the configuration names, or has nothing in common.
std::string start_from_run(const RunConfig& config, const std::filesystem::path& workspace,
                           Trainer* trainer);

}  // namespace runner
