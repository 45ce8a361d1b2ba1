// `lcsm run --on slurm`: submits a sweep's remaining runs to the cluster.
#pragma once

#include <filesystem>
#include <memory>
#include <string>

#include "runner/cluster/launch/launch.h"
#include "runner/cluster/slurm/profile.h"

namespace runner {

// Returns the profile of that name, or the only one. Throws Failure if there is none for the sweep.
SlurmProfile profile_for(const SweepFile& sweep, const std::filesystem::path& workspace,
                         const std::string& name);

// How many runs the profile's array tasks train at once, for the plan. `jobs`: as in `lcsm run
// --jobs`.
int slots_of(const SlurmProfile& profile, std::int64_t jobs);

std::unique_ptr<Launch> make_slurm_launch(const LaunchSettings& settings);

}  // namespace runner
