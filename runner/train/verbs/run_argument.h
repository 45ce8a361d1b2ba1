// Finds runs for the verbs of lcsm-train by their ids; `lcsm` resolves all other names.
#pragma once

#include <filesystem>
#include <string>

namespace runner {

// The run whose id begins with these digits. Throws std::invalid_argument if there is none, or more
// than one.
std::string run_that_begins(const std::filesystem::path& workspace, const std::string& digits);

}  // namespace runner
