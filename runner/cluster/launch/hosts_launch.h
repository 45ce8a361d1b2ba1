// `lcsm run --on hosts`: hands a sweep's remaining runs to the hosts of hosts.toml, over ssh.
#pragma once

#include <filesystem>
#include <memory>
#include <vector>

#include "runner/cluster/hosts/host.h"
#include "runner/cluster/launch/launch.h"

namespace runner {

// Throws Failure if there is no list for the sweep.
std::vector<TrainingHost> hosts_for(const SweepFile& sweep, const std::filesystem::path& workspace);

std::unique_ptr<Launch> make_hosts_launch(const LaunchSettings& settings);

}  // namespace runner
