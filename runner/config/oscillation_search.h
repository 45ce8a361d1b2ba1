// Where a user's own oscillations come from, and the catalogue with them.
#pragma once

#include <string>
#include <vector>

#include "lcsm/code/oscillation.h"

namespace runner {

// The files named in LCSM_OSCILLATIONS (":" between them); when it is not set, oscillations.toml
// and sweeps/*.toml of the current folder, as far as they are there.
std::vector<std::string> oscillation_files();

// The built-in rows, then those of the found files, then those of `named`. A named file must be
// right: throws. A found one that is wrong is left out, and `complain` gets the reason.
lcsm::Catalogue load_catalogue(const std::vector<std::string>& named,
                               void (*complain)(const std::string&));

}  // namespace runner
