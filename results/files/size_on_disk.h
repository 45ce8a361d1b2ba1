#pragma once

#include <cstdint>
#include <filesystem>

namespace results {

// Bytes of a file, or of all files in a folder. Links are not followed. What another process
// removes meanwhile is not counted.
std::uintmax_t size_on_disk(const std::filesystem::path& path);

}  // namespace results
