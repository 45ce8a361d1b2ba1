// A user's own oscillations: `[oscillation.NAME]` tables of a TOML file.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "lcsm/code/oscillation.h"
#include "runner/files/source_error.h"

namespace runner {

// Other tables of the text are none of its business. `path` is what errors call the file.
// Throws SourceErrors with every error of the text.
std::vector<lcsm::Oscillation> parse_oscillations(std::string_view text, const std::string& path);

// Reads the file; std::runtime_error when it cannot be read.
std::vector<lcsm::Oscillation> read_oscillations(const std::string& path);

}  // namespace runner
