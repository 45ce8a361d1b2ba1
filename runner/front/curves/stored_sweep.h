// Reconstructs a sweep whose file is not here from its runs in a workspace.
#pragma once

#include <filesystem>
#include <set>
#include <string>

#include "results/store/database.h"
#include "runner/front/panel/model.h"

namespace runner {

// Reads a sweep's runs (if `only` is not empty, only these) with the values in which they differ.
// Has no runs if the sweep is unknown.
PanelModel stored_sweep(results::Database& database, const std::filesystem::path& workspace,
                        const std::string& sweep, const std::set<std::string>& only = {});

}  // namespace runner
