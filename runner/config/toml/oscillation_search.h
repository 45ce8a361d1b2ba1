// Finds files with custom oscillations and loads the catalogue with them.
#pragma once

#include <string>
#include <vector>

#include "lcsm/code/oscillation.h"

namespace runner {

// The files listed in LCSM_OSCILLATIONS, separated by ":"; if it is not set, those of
// oscillations.toml and sweeps/*.toml that exist in the current folder.
std::vector<std::string> oscillation_files();

// The built-in oscillations, then those of the found files, then those of `named`. Throws if a
// named file is invalid. An invalid found file is skipped, and `complain` gets the reason.
lcsm::Catalogue load_catalogue(const std::vector<std::string>& named,
                               void (*complain)(const std::string&));

}  // namespace runner
