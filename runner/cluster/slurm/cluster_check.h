// Slurm's line of `lcsm doctor`.
#pragma once

#include "runner/sweeps/schedule/engine.h"

namespace runner {

EngineCheck check_cluster();

}  // namespace runner
