#pragma once

#include <cstdint>
#include <filesystem>

namespace results {

// Bytes of a file, or of all files in a folder. Links are not followed. Files that another process
// removes meanwhile are not counted.
std::uintmax_t size_on_disk(const std::filesystem::path& path);

}  // namespace results
