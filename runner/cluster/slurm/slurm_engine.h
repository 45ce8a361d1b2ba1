// `lcsm run --on slurm`: submits a sweep's remaining runs to the cluster as job arrays.
#pragma once

#include <memory>

#include "runner/sweeps/schedule/engine.h"

namespace runner {

std::unique_ptr<Engine> make_slurm_engine(const EngineSettings& settings);

}  // namespace runner
