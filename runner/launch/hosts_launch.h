// `lcsm run --on hosts`: hands what is missing of a sweep to the hosts of hosts.toml, over ssh.
#pragma once

#include <memory>

#include "runner/launch/launch.h"

namespace runner {

std::unique_ptr<Launch> make_hosts_launch(const LaunchSettings& settings);

}  // namespace runner
