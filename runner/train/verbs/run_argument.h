// Runs as verbs of lcsm-train take them; `lcsm` resolves all other names of runs.
#pragma once

#include <filesystem>
#include <string>

namespace runner {

// The run whose id begins with these digits. Throws std::invalid_argument for none or several.
std::string run_that_begins(const std::filesystem::path& workspace, const std::string& digits);

}  // namespace runner
