// Reads a hand-written TOML file.
#pragma once

#include <string>

namespace runner {

// Throws std::runtime_error with the reason if the file cannot be read or is larger than 16 MiB.
std::string read_toml_file(const std::string& path);

}  // namespace runner
