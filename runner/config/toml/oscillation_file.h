// Custom oscillations: `[oscillation.NAME]` tables of a TOML file.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "lcsm/code/oscillation.h"
#include "runner/base/files/source_error.h"

namespace runner {

// Ignores other tables of the text. Errors refer to the file as `path`. Throws SourceErrors with
// every error of the text.
std::vector<lcsm::Oscillation> parse_oscillations(std::string_view text, const std::string& path);

// Throws std::runtime_error if the file cannot be read.
std::vector<lcsm::Oscillation> read_oscillations(const std::string& path);

}  // namespace runner
