// Reads a file without ever waiting for a pipe that nobody writes.
#pragma once

#include <cstdint>
#include <filesystem>
#include <limits>
#include <string>

namespace lcsm {

// At most `most` bytes from `offset` on, as the file is now. A pipe has no offset: it is read from
// its start until its end. Throws std::system_error.
std::string read_file(const std::filesystem::path& path, std::int64_t offset = 0,
                      std::size_t most = std::numeric_limits<std::size_t>::max());

}  // namespace lcsm
