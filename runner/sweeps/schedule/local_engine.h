// `lcsm run --on local`, the default: runs are child processes of `lcsm run`.
#pragma once

#include <memory>

#include "runner/sweeps/schedule/engine.h"

namespace runner {

std::unique_ptr<Engine> make_local_engine(const EngineSettings& settings);

}  // namespace runner
