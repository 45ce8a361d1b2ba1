// Starts a model with weights of another run (model.from).
#pragma once

#include <filesystem>
#include <string>

#include "runner/config/run/run_config.h"
#include "runner/train/trainer/trainer.h"

namespace runner {

// Copies tensors of equal name and shape from that run's best step; of embeddings and positions
// with different numbers of rows, the common first rows. Other tensors keep their initial values.
// Returns a sentence that names both kinds. Throws RunFailure if the checkpoint is missing, is not
// the one that the configuration names, or has no tensor in common.
std::string start_from_run(const RunConfig& config, const std::filesystem::path& workspace,
                           Trainer* trainer);

}  // namespace runner
