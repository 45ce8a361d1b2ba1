// Finds files with custom oscillations and loads the catalogue with them.
#pragma once

#include <string>
#include <vector>

#include "lcsm/code/oscillation.h"

namespace runner {

// The built-in oscillations, then the ones of files that are found, then the ones in `named`.
// Found are the files listed in LCSM_OSCILLATIONS, separated by ":"; if it is not set,
// oscillations.toml and sweeps/*.toml in the current folder, if they exist. Throws if a named file
// is invalid. Skips an invalid one that was found; `complain` gets the reason.
lcsm::Catalogue load_catalogue(const std::vector<std::string>& named,
                               void (*complain)(const std::string&));

}  // namespace runner
