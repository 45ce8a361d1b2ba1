// Reads the configuration of a run that was trained before.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "runner/config/run/run_config.h"

namespace runner {

// The config.toml of a run's folder, as text. Throws std::runtime_error if it is not the
// configuration that the folder's name, the run's id, was made from.
std::string stored_config_text(const std::filesystem::path& folder);

RunConfig stored_config(const std::filesystem::path& folder, void (*complain)(const std::string&));

}  // namespace runner
