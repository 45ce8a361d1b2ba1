// `lcsm run --on hosts`: hands a sweep's remaining runs to the hosts of hosts.toml, over ssh.
#pragma once

#include <memory>

#include "runner/sweeps/schedule/engine.h"

namespace runner {

std::unique_ptr<Engine> make_hosts_engine(const EngineSettings& settings);

}  // namespace runner
