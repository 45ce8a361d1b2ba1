// The text of a TOML file that a person wrote.
#pragma once

#include <string>

namespace runner {

// std::runtime_error with the reason when it cannot be read, or is larger than 16 MiB.
std::string read_toml_file(const std::string& path);

}  // namespace runner
