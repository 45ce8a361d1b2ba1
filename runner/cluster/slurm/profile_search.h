// Finds slurm.toml and hosts.toml.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "runner/cluster/slurm/profile.h"

namespace runner {

// `file` beside the sweep's file (of a built-in sweep: in the current folder), in the workspace,
// and in `lcsm/` of the user's configuration folder ($XDG_CONFIG_HOME, ~/.config), in this order.
std::vector<std::filesystem::path> configuration_places(const std::filesystem::path& sweep_file,
                                                        const std::filesystem::path& workspace,
                                                        const char* file);

// The paths at which slurm.toml is looked for.
std::vector<std::filesystem::path> profile_places(const std::filesystem::path& sweep_file,
                                                  const std::filesystem::path& workspace);

// Reads the profile from the first file that exists. Throws std::runtime_error that names the
// places if there is none, and whatever read_slurm_profiles and choose_profile throw.
SlurmProfile find_profile(const std::vector<std::filesystem::path>& places,
                          const std::string& name);

}  // namespace runner
