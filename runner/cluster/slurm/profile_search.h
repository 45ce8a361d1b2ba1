// Where profiles of clusters, and lists of hosts, are found.
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

// Of slurm.toml.
std::vector<std::filesystem::path> profile_places(const std::filesystem::path& sweep_file,
                                                  const std::filesystem::path& workspace);

// Of the first file that exists. Throws std::runtime_error that names the places if there is none,
// and as read_slurm_profiles and choose_profile.
SlurmProfile find_profile(const std::vector<std::filesystem::path>& places,
                          const std::string& name);

}  // namespace runner
