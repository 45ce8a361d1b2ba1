// Reads the configuration of a run that was trained before.
#pragma once

#include <filesystem>
#include <string>

#include "runner/config/run/run_config.h"

namespace runner {

// The config.toml of a run's folder, as text. Throws std::runtime_error if its id differs from the
// folder's name.
std::string stored_config_text(const std::filesystem::path& folder);

RunConfig stored_config(const std::filesystem::path& folder, void (*complain)(const std::string&));

}  // namespace runner
