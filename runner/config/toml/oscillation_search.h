// Finds files with custom oscillations and loads the catalogue with them.
#pragma once

#include <string>
#include <vector>

#include "lcsm/code/oscillation.h"

namespace runner {

// The files listed in LCSM_OSCILLATIONS, separated by ":"; if it is not set, oscillations.toml and
// sweeps/*.toml in the current folder, if they exist.
std::vector<std::string> oscillation_files();

// The built-in oscillations, then the ones in oscillation_files(), then the ones in `named`. Throws
// if a named file is invalid. Skips an invalid file among the others; `complain` gets the reason.
lcsm::Catalogue load_catalogue(const std::vector<std::string>& named,
                               void (*complain)(const std::string&));

}  // namespace runner
